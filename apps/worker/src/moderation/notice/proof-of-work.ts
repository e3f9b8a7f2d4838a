/**
 * Work that a browser does before it may file a notice: seconds for one, days for a flood. The challenge is signed and tells when it
 * ends, so that nothing is kept of it until it is used; it is used once.
 */
import {
  NOTICE_CHALLENGE_TTL_MS,
  NOTICE_CHALLENGES_PER_HOUR_CALM,
  NOTICE_CHALLENGES_PER_NETWORK_MAX,
  NOTICE_WORK_ANSWERS,
  NOTICE_WORK_BITS,
  NOTICE_WORK_EXTRA_BITS,
} from "@lambda/contract/limits";
import type { NoticeChallenge, NoticeDraft } from "@lambda/contract/notices";
import type { z } from "zod";
import type { Context } from "../../platform/context.ts";
import { AppError } from "../../platform/errors.ts";
import { randomHex } from "../../platform/hash.ts";
import { isWithinLimit, limitNetwork } from "../../platform/rate-limits/limit.ts";
import { isSame, seal } from "./sealed.ts";

const HOUR_MS = 3_600_000;
/** Of seeds and tests, which do in a second what people do in days. */
const UNCOUNTED_BITS = 4;

/** Throws TOO_MANY_REQUESTS for a network that asks for more than people need. */
export async function createChallenge(ctx: Context): Promise<z.output<typeof NoticeChallenge>> {
  const max = NOTICE_CHALLENGES_PER_NETWORK_MAX;
  if (ctx.quotas) await limitNetwork(ctx, "notice-challenge", { network: max, site: 4 * max }, HOUR_MS);
  const bits = ctx.quotas ? NOTICE_WORK_BITS + ((await isCalm(ctx)) ? 0 : NOTICE_WORK_EXTRA_BITS) : UNCOUNTED_BITS;
  const told = `${randomHex(16)}.${ctx.now + NOTICE_CHALLENGE_TTL_MS}.${bits}`;
  return { challenge: `${told}.${signatureOf(ctx, told)}`, bits, answers: NOTICE_WORK_ANSWERS };
}

function isCalm({ env }: Context): Promise<boolean> {
  return isWithinLimit(env, "notice-challenges", NOTICE_CHALLENGES_PER_HOUR_CALM, HOUR_MS);
}

/** Throws BAD_INPUT that names the field for work that is forged, late, undone or used before. */
export async function requireWork(ctx: Context, { challenge, answers }: z.output<typeof NoticeDraft>["proof"]) {
  const [nonce = "", ends = "", bits = "", signature = ""] = challenge.split(".");
  if (!isSame(signature, signatureOf(ctx, `${nonce}.${ends}.${bits}`))) throw refuse("FORGED");
  if (Number(ends) <= ctx.now) throw refuse("EXPIRED");
  const done = await Promise.all(answers.map((answer, place) => leadingZeros(`${challenge}:${place}:${answer}`)));
  if (done.some((zeros) => zeros < Number(bits))) throw refuse("UNDONE");
  // The ending is signed, so that a challenge that is forgotten here is over as well.
  if (!(await isWithinLimit(ctx.env, `notice-work:${nonce}`, 1, NOTICE_CHALLENGE_TTL_MS))) throw refuse("USED");
}

function refuse(reason: "FORGED" | "EXPIRED" | "UNDONE" | "USED"): AppError {
  return new AppError("BAD_INPUT", {
    field: "proof",
    reason,
    message: "proof: is missing, used or too old. Try again.",
  });
}

function signatureOf({ env, brand }: Context, told: string): string {
  return seal(env, "work", brand.id, told).toString("base64url");
}

async function leadingZeros(text: string): Promise<number> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  const first = digest.findIndex((byte) => byte !== 0);
  return first < 0 ? 256 : first * 8 + Math.clz32(digest[first]!) - 24;
}
