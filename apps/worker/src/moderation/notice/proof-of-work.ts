/**
 * Proof of work before a notice: seconds for one notice, days for a flood. The challenge is signed and carries its own
 * expiry, so that the server stores nothing until it is used; it can be used once.
 */
import {
  HOUR_MS,
  NOTICE_CHALLENGE_TTL_MS,
  NOTICE_CHALLENGES_PER_HOUR_NORMAL,
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
import { isEqualInConstantTime } from "../../platform/mac.ts";
import { isWithinLimit, limitNetwork } from "../../platform/rate-limits/limit.ts";
import { noticeHash } from "./keyed-hashes.ts";

/** Difficulty for seeds and tests, which file in a second what people file in days. */
const TEST_WORK_BITS = 4;

/** Throws TOO_MANY_REQUESTS for a network that requests more challenges than people need. */
export async function createNoticeChallenge(ctx: Context): Promise<z.output<typeof NoticeChallenge>> {
  const max = NOTICE_CHALLENGES_PER_NETWORK_MAX;
  if (ctx.quotas) await limitNetwork(ctx, "notice-challenge", { network: max, site: 4 * max }, HOUR_MS);
  const bits = ctx.quotas
    ? NOTICE_WORK_BITS + ((await isNormalLoad(ctx)) ? 0 : NOTICE_WORK_EXTRA_BITS)
    : TEST_WORK_BITS;
  const payload = `${randomHex(16)}.${ctx.now + NOTICE_CHALLENGE_TTL_MS}.${bits}`;
  return { challenge: `${payload}.${sign(ctx, payload)}`, bits, answers: NOTICE_WORK_ANSWERS };
}

function isNormalLoad({ env }: Context): Promise<boolean> {
  return isWithinLimit(env, "notice-challenges", NOTICE_CHALLENGES_PER_HOUR_NORMAL, HOUR_MS);
}

/** Throws BAD_INPUT for the field `proof` if the work is forged, expired, undone or already used. */
export async function requireWork(ctx: Context, { challenge, answers }: z.output<typeof NoticeDraft>["proof"]) {
  const [nonce = "", expiry = "", bits = "", signature = ""] = challenge.split(".");
  if (!isEqualInConstantTime(signature, sign(ctx, `${nonce}.${expiry}.${bits}`))) throw badProof("FORGED");
  if (Number(expiry) <= ctx.now) throw badProof("EXPIRED");
  const zeros = await Promise.all(answers.map((answer, index) => leadingZeros(`${challenge}:${index}:${answer}`)));
  if (zeros.some((count) => count < Number(bits))) throw badProof("UNDONE");
  // Forgetting a used nonce after the TTL is safe: by then the signed expiry rejects it.
  if (!(await isWithinLimit(ctx.env, `notice-work:${nonce}`, 1, NOTICE_CHALLENGE_TTL_MS))) throw badProof("USED");
}

function badProof(reason: "FORGED" | "EXPIRED" | "UNDONE" | "USED"): AppError {
  return new AppError("BAD_INPUT", {
    field: "proof",
    reason,
    message: "proof: is missing, used or too old. Try again.",
  });
}

function sign({ env, brand }: Context, payload: string): string {
  return noticeHash(env, "work", brand.id, payload).toString("base64url");
}

async function leadingZeros(text: string): Promise<number> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  const first = digest.findIndex((byte) => byte !== 0);
  return first < 0 ? 256 : first * 8 + Math.clz32(digest[first]!) - 24;
}
