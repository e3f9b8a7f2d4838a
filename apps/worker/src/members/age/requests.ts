/** A proof of age from the question to the answer: what was asked, by whom, once, and within minutes. */
import type { AgeMethod, AgeOutcome, AgeProgress, AgeRequest } from "@lambda/contract/age";
import {
  AGE_REQUEST_TTL_MS,
  AGE_REQUESTS_PER_IP_MAX,
  AGE_REQUESTS_PER_SITE_MAX,
  AGE_TICKET_TTL_MS,
  DAY_MS,
} from "@lambda/contract/limits";
import type { Context } from "../../platform/context.ts";
import { batch } from "../../platform/db/batch.ts";
import { AppError } from "../../platform/errors.ts";
import { AGE_COOKIE, readCookie, setHiddenCookie } from "../../platform/http/cookies.ts";
import { limitNetwork } from "../../platform/rate-limits/limit.ts";
import { hashToken, newToken } from "../sessions/tokens.ts";
import type { Channel, Finding } from "./methods/method.ts";
import { METHODS, methodOf } from "./methods/methods.ts";
import { agePolicy } from "./policy.ts";
import {
  findAgeRequest,
  type Holder,
  insertAgeProofQuery,
  insertAgeRequestQueries,
  keepVisitorProofQuery,
  takeAgeRequest,
  updateAgeOutcome,
} from "./queries.ts";

const HOUR_MS = DAY_MS / 24;

/** The methods that this site can verify. */
export function offeredMethods({ env }: Pick<Context, "env">) {
  return METHODS.filter((method) => method.isOffered(env)).map((method) => ({
    method: method.method,
    provider: method.provider(env),
  }));
}

/** Throws TOO_MANY_REQUESTS, and NOT_FOUND for a method that is not offered. */
export async function beginProof(ctx: Context, name: AgeMethod): Promise<AgeRequest> {
  const method = methodOf(name);
  if (!method.isOffered(ctx.env)) throw new AppError("NOT_FOUND");
  const max = { network: AGE_REQUESTS_PER_IP_MAX, site: AGE_REQUESTS_PER_SITE_MAX };
  await limitNetwork(ctx, "age-ip", max, HOUR_MS);
  const state = newToken();
  const nonce = newToken();
  const { digitalCredential, link, verifier } = await method.begin(ctx, { state, nonce });
  const expires = ctx.now + AGE_REQUEST_TTL_MS;
  const request = {
    stateHash: await hashToken(state),
    holder: await holderOf(ctx, { mark: true }),
    method: name,
    brand: ctx.brand.id,
    nonce,
    verifier: verifier ?? null,
    expires,
  };
  await batch(ctx.d1, insertAgeRequestQueries(ctx.db, request));
  const testWallet = __DEVELOPMENT__ && name !== "oidc" ? `/dev/wallet${link.slice(link.indexOf("?"))}` : null;
  const qr = await drawCode(name, link);
  return { state, tsExpires: new Date(expires).toISOString(), digitalCredential, link, qr, testWallet };
}

/** A link for another device as the rows of a code; a provider's page is opened on this one. */
async function drawCode(method: AgeMethod, link: string): Promise<string[]> {
  if (method === "oidc") return [];
  const { encode } = await import("uqr");
  return encode(link, { ecc: "L", border: 0 }).data.map((row) => row.map((dark) => (dark ? "1" : "0")).join(""));
}

/** The member, or the visitor by their ticket; `mark` gives one to a visitor who has none. */
async function holderOf(ctx: Context, { mark }: { mark: boolean }): Promise<Holder> {
  if (ctx.viewer) return { accountId: ctx.viewer.profileId, ticketHash: null };
  const known = readCookie(ctx.request, AGE_COOKIE);
  if (!known && !mark) throw new AppError("NOT_FOUND");
  const ticket = known && known.length <= 100 ? known : newToken();
  if (mark) setHiddenCookie(ctx.responseHeaders, AGE_COOKIE, ticket, AGE_TICKET_TTL_MS / 1000);
  return { accountId: null, ticketHash: await hashToken(ticket) };
}

/** How the request that this page began stands. Throws NOT_FOUND for anybody else's. */
export async function readProgress(ctx: Context, state: string): Promise<AgeProgress> {
  const row = await findAgeRequest(ctx.db, await hashToken(state), await holderOf(ctx, { mark: false }));
  if (!row) throw new AppError("NOT_FOUND");
  return { outcome: row.outcome as AgeOutcome | null, expired: row.ts_expires <= ctx.now };
}

/** What the browser that asked got. Throws NOT_FOUND for a request of somebody else: nobody proves another member's age. */
export async function answerAsHolder(ctx: Context, state: string, response: string): Promise<AgeProgress> {
  await readProgress(ctx, state);
  return { outcome: await answerProof(ctx, state, "browser", response), expired: false };
}

/**
 * Verifies the first answer to a request, and writes down what it proves. Throws NOT_FOUND alike for a request that never was, is
 * over, was answered, or is of another brand.
 */
export async function answerProof(
  ctx: Context,
  state: string,
  channel: Channel,
  response: string,
): Promise<AgeOutcome> {
  const stateHash = await hashToken(state);
  const taken = await takeAgeRequest(ctx.db, stateHash, ctx.brand.id, ctx.now);
  if (!taken) throw new AppError("NOT_FOUND");
  const { account_id: accountId, method, nonce, verifier } = taken;
  const finding = await methodOf(method).verify(ctx, response, { state, nonce, channel, verifier });
  const outcome =
    finding.outcome === "proved" ? await keepProof(ctx, { stateHash, accountId, method, finding }) : finding.outcome;
  if (outcome !== "proved" || accountId !== null) await updateAgeOutcome(ctx.db, stateHash, outcome);
  return outcome;
}

interface Proved {
  readonly stateHash: Uint8Array;
  readonly accountId: number | null;
  readonly method: AgeMethod;
  readonly finding: Extract<Finding, { outcome: "proved" }>;
}

/** The day and the method, and the hash by which this attestation proves nobody else's age. */
async function keepProof(ctx: Context, { stateHash, accountId, method, finding }: Proved): Promise<AgeOutcome> {
  const { attestationHash } = finding;
  const proof = { method, day: Math.floor(ctx.now / DAY_MS), policy: agePolicy(ctx.env).version, attestationHash };
  const query =
    accountId === null
      ? keepVisitorProofQuery(ctx.db, stateHash, attestationHash, ctx.now + AGE_TICKET_TTL_MS)
      : insertAgeProofQuery(ctx.db, accountId, proof);
  try {
    const [kept] = await batch<[unknown[]]>(ctx.d1, [query]);
    return kept.length > 0 ? "proved" : "used-before";
  } catch (error) {
    // Shown twice at the same moment: the index lets one through.
    if (/UNIQUE/.test(String(error))) return "used-before";
    throw error;
  }
}
