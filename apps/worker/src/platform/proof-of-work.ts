/**
 * Proof of work: seconds for one request, days for a flood. The challenge is signed and carries its own expiry, so that the server stores
 * nothing until it is used; it can be used once.
 */
import { WORK_HEADER } from "@lambda/contract/headers";
import {
  NOTICE_CHALLENGE_TTL_MS,
  NOTICE_WORK_ANSWERS,
  NOTICE_WORK_BITS,
  NOTICE_WORK_EXTRA_BITS,
} from "@lambda/contract/limits";
import type { NoticeChallenge } from "@lambda/contract/notices";
import { ProofOfWork } from "@lambda/contract/proof-of-work";
import type { z } from "zod";
import type { Context } from "./context.ts";
import { AppError } from "./errors.ts";
import { randomHex } from "./hash.ts";
import { mac } from "./keys.ts";
import { isEqualInConstantTime } from "./mac.ts";
import { giveBackNetwork, isNetworkWithinLimit, isWithinLimit } from "./rate-limits/limit.ts";

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

/** How often a network may do something a window as a multiple of the normal: without work, for the usual work, for eight times that. */
const NETWORK_FACTORS = [1, 10, 100];

/**
 * Counts one hit for the client's network. Beyond the normal number it throws WORK_NEEDED unless the call brings a solved challenge, which is
 * harder in steps of eight; nobody is refused for what strangers behind the same address did. Returns how to take the hit back.
 *
 * @param work by default of the header `x-work`
 */
export async function limitNetworkByWork(
  ctx: Context,
  name: string,
  max: Parameters<typeof isNetworkWithinLimit>[2],
  windowMs: number,
  work = doneWork(ctx, readWork(ctx.request)),
): Promise<() => Promise<void>> {
  for (const [step, factor] of NETWORK_FACTORS.entries()) {
    const counter = step === 0 ? name : `${name}-${step}`;
    const stepMax = { network: factor * max.network, site: factor * max.site };
    if (await isNetworkWithinLimit(ctx, counter, stepMax, windowMs)) return () => giveBackNetwork(ctx, counter);
    if ((await work()) <= step) throw new AppError("WORK_NEEDED", { limit: step });
  }
  return async () => undefined;
}

/** How many steps of work were done, 0 for none. Checked when first asked for, as a proof can be used once. */
export function doneWork(ctx: Context, proof: z.output<typeof ProofOfWork> | undefined): () => Promise<number> {
  let steps: Promise<number> | undefined;
  const check = async () => (proof ? 1 + (await checkWork(ctx, proof)) : 0);
  return () => {
    steps ??= check();
    return steps;
  };
}

/** Undefined for none and for one that is not in the form of a proof. */
function readWork(request: Request): z.output<typeof ProofOfWork> | undefined {
  try {
    return ProofOfWork.safeParse(JSON.parse(request.headers.get(WORK_HEADER) ?? "null")).data;
  } catch {
    return undefined;
  }
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
