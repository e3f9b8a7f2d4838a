/**
 * Proof of work: seconds for one request, days for a flood. The challenge is signed and carries its own expiry, so that the server stores
 * nothing until it is used; it can be used once.
 */
import {
  NOTICE_CHALLENGE_TTL_MS,
  NOTICE_WORK_ANSWERS,
  NOTICE_WORK_BITS,
  NOTICE_WORK_EXTRA_BITS,
} from "@lambda/contract/limits";
import type { NoticeChallenge } from "@lambda/contract/notices";
import type { ProofOfWork } from "@lambda/contract/proof-of-work";
import type { z } from "zod";
import type { Context } from "./context.ts";
import { AppError } from "./errors.ts";
import { randomHex } from "./hash.ts";
import { mac } from "./keys.ts";
import { isEqualInConstantTime } from "./mac.ts";
import { isWithinLimit } from "./rate-limits/limit.ts";

/** Difficulty for seeds and tests, which do in a second what people do in days. */
const TEST_WORK_BITS = 4;

/** @param step each takes eight times the work */
export function createChallenge(ctx: Context, step: number): z.output<typeof NoticeChallenge> {
  const bits = (ctx.quotas ? NOTICE_WORK_BITS : TEST_WORK_BITS) + step * NOTICE_WORK_EXTRA_BITS;
  const payload = `${randomHex(16)}.${ctx.now + NOTICE_CHALLENGE_TTL_MS}.${bits}.${step}`;
  return { challenge: `${payload}.${sign(ctx, payload)}`, bits, answers: NOTICE_WORK_ANSWERS };
}

/**
 * Returns by how many steps the work was harder than usual. Throws BAD_INPUT for the field `proof` if it is forged, expired, undone or
 * already used.
 */
export async function checkWork(ctx: Context, { challenge, answers }: z.output<typeof ProofOfWork>): Promise<number> {
  const [nonce = "", expiry = "", bits = "", step = "", signature = ""] = challenge.split(".");
  if (!isEqualInConstantTime(signature, sign(ctx, [nonce, expiry, bits, step].join(".")))) throw badProof("FORGED");
  if (Number(expiry) <= ctx.now) throw badProof("EXPIRED");
  const zeros = await Promise.all(answers.map((answer, index) => leadingZeros(`${challenge}:${index}:${answer}`)));
  if (zeros.some((count) => count < Number(bits))) throw badProof("UNDONE");
  // Forgetting a used nonce after the TTL is safe: by then the signed expiry rejects it.
  if (!(await isWithinLimit(ctx.env, `notice-work:${nonce}`, 1, NOTICE_CHALLENGE_TTL_MS))) throw badProof("USED");
  return Number(step);
}

function badProof(reason: "FORGED" | "EXPIRED" | "UNDONE" | "USED"): AppError {
  return new AppError("BAD_INPUT", {
    field: "proof",
    reason,
    message: "proof: is missing, used or too old. Try again.",
  });
}

function sign({ env, brand }: Context, payload: string): string {
  return mac(env, "notice-work", JSON.stringify([brand.id, payload])).toString("base64url");
}

async function leadingZeros(text: string): Promise<number> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  const first = digest.findIndex((byte) => byte !== 0);
  return first < 0 ? 256 : first * 8 + Math.clz32(digest[first]!) - 24;
}
