/**
 * Proof of work before a notice: seconds for one notice, days for a flood. The challenge is signed and carries its own
 * expiry, so that the server stores nothing until it is used; it can be used once.
 */
import {
  DAY_MS,
  HOUR_MS,
  NOTICE_CHALLENGE_TTL_MS,
  NOTICE_CHALLENGES_PER_HOUR_NORMAL,
  NOTICE_WORK_ANSWERS,
  NOTICE_WORK_BITS,
  NOTICE_WORK_EXTRA_BITS,
  NOTICES_PER_MAILBOX_NORMAL,
  NOTICES_PER_NETWORK_NORMAL,
  NOTICES_PER_SITE_NORMAL,
} from "@lambda/contract/limits";
import type { NoticeChallenge, NoticeDraft } from "@lambda/contract/notices";
import type { z } from "zod";
import { mailboxOf } from "../../members/accounts/mailbox.ts";
import type { Context } from "../../platform/context.ts";
import { AppError } from "../../platform/errors.ts";
import { randomHex } from "../../platform/hash.ts";
import { isEqualInConstantTime } from "../../platform/mac.ts";
import { isNetworkWithinLimit, isWithinLimit } from "../../platform/rate-limits/limit.ts";
import { noticeHash } from "./keyed-hashes.ts";

/** Difficulty for seeds and tests, which file in a second what people file in days. */
const TEST_WORK_BITS = 4;

/** Not limited per network: otherwise one of its users could keep all others from filing. */
export async function createNoticeChallenge(ctx: Context, harder: number): Promise<z.output<typeof NoticeChallenge>> {
  const step = Math.max(harder, ctx.quotas && !(await isNormalLoad(ctx)) ? 1 : 0);
  const bits = (ctx.quotas ? NOTICE_WORK_BITS : TEST_WORK_BITS) + step * NOTICE_WORK_EXTRA_BITS;
  const payload = `${randomHex(16)}.${ctx.now + NOTICE_CHALLENGE_TTL_MS}.${bits}.${step}`;
  return { challenge: `${payload}.${sign(ctx, payload)}`, bits, answers: NOTICE_WORK_ANSWERS };
}

function isNormalLoad({ env }: Context): Promise<boolean> {
  return isWithinLimit(env, "notice-challenges", NOTICE_CHALLENGES_PER_HOUR_NORMAL, HOUR_MS);
}

/**
 * Returns by how many steps the work was harder than usual. Throws BAD_INPUT for the field `proof` if it is forged, expired, undone or
 * already used.
 */
export async function checkWork(
  ctx: Context,
  { challenge, answers }: z.output<typeof NoticeDraft>["proof"],
): Promise<number> {
  const [nonce = "", expiry = "", bits = "", step = "", signature = ""] = challenge.split(".");
  if (!isEqualInConstantTime(signature, sign(ctx, [nonce, expiry, bits, step].join(".")))) throw badProof("FORGED");
  if (Number(expiry) <= ctx.now) throw badProof("EXPIRED");
  const zeros = await Promise.all(answers.map((answer, index) => leadingZeros(`${challenge}:${index}:${answer}`)));
  if (zeros.some((count) => count < Number(bits))) throw badProof("UNDONE");
  // Forgetting a used nonce after the TTL is safe: by then the signed expiry rejects it.
  if (!(await isWithinLimit(ctx.env, `notice-work:${nonce}`, 1, NOTICE_CHALLENGE_TTL_MS))) throw badProof("USED");
  return Number(step);
}

/** How many times the normal number of notices a day takes the usual work, how many more eight times, and then 64 times the work. */
const STEP_FACTORS = [1, 10, 30];

/**
 * Counts a notice for its mailbox and its network. Throws TOO_MANY_REQUESTS for the field `proof` if they filed more than people do and
 * the work was not harder by enough steps, and without a field for a network that floods. A mailbox is never refused, because strangers
 * may have filed in its owner's name.
 */
export async function countNotice(ctx: Context, harder: number, email: string | undefined): Promise<void> {
  if (email !== undefined) {
    const name = `notice-mailbox:${mailboxOf(email)}`;
    await countInStep(harder, (step, factor) =>
      isWithinLimit(ctx.env, `${name}${step}`, factor * NOTICES_PER_MAILBOX_NORMAL, DAY_MS),
    );
  }
  const isReceived = await countInStep(harder, (step, factor) => {
    const max = { network: factor * NOTICES_PER_NETWORK_NORMAL, site: factor * NOTICES_PER_SITE_NORMAL };
    return isNetworkWithinLimit(ctx, `notices${step}`, max, DAY_MS);
  });
  if (!isReceived) throw new AppError("TOO_MANY_REQUESTS", { message: FLOOD, retryAfterSeconds: DAY_MS / 1000 });
}

/** Counts it in the first step that is not full; false if all are. */
async function countInStep(harder: number, count: (step: string, factor: number) => Promise<boolean>) {
  for (const [step, factor] of STEP_FACTORS.entries()) {
    if (harder < step)
      throw new AppError("TOO_MANY_REQUESTS", { field: "proof", reason: "TOO_EASY", message: TOO_EASY });
    if (await count(step === 0 ? "" : `-${step}`, factor)) return true;
  }
  return false;
}

const FLOOD =
  "Very many notices came from your network today. Use another network, try again tomorrow, or write to us.";
const TOO_EASY =
  "Many notices came from your network or for this address today. Request a harder challenge, solve it and send the notice again.";

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
