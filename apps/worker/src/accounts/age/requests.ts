/**
 * A proof of age from request to response: each request belongs to one holder, accepts one response, and expires within
 * minutes.
 */

import type { AgeMethod, AgeOutcome, AgeProofProgress, AgeProofRequest } from "@lambda/contract/age";
import {
  AGE_REQUEST_TTL_MS,
  AGE_REQUESTS_PER_IP_MAX,
  AGE_REQUESTS_PER_SITE_MAX,
  AGE_TICKET_TTL_MS,
  HOUR_MS,
} from "@lambda/contract/limits";
import { dayOf } from "@lambda/geo/time";
import { type RawBuilder, sql } from "kysely";
import type { Context } from "../../platform/context.ts";
import { batch, type Database, insertIf, type Query } from "../../platform/db/database.ts";
import type { AgeProofRow } from "../../platform/db/tables.ts";
import { AppError, notFound } from "../../platform/errors.ts";
import { AGE_COOKIE, readCookie, setHttpOnlyCookie } from "../../platform/http/cookies.ts";
import { toIso } from "../../platform/iso-time.ts";
import { limitNetworkByWork } from "../../platform/proof-of-work.ts";
import { hashToken, newToken } from "../sessions/tokens.ts";
import { EU_AV, MDL, mdocMethod } from "./methods/mdoc.ts";
import type { Channel, Method } from "./methods/method.ts";
import { oidcMethod } from "./methods/oidc.ts";
import { agePolicy } from "./policy.ts";

/** Who asks for a proof: a member, or a visitor who holds a ticket. */
type Holder =
  | { readonly accountId: number; readonly ticketHash: null }
  | { readonly accountId: null; readonly ticketHash: Uint8Array };

export function findAgeProof(db: Database, accountId: number) {
  return db
    .selectFrom("age_proof")
    .select(["method", "day", "policy"])
    .where("account_id", "=", accountId)
    .executeTakeFirst();
}

export function deleteAgeProof(db: Database, accountId: number) {
  return db.deleteFrom("age_proof").where("account_id", "=", accountId).execute();
}

export function offeredMethods({ env }: Pick<Context, "env">) {
  return METHODS.filter((method) => method.isOffered(env)).map((method) => ({
    method: method.method,
    provider: method.provider(env),
  }));
}

/** Throws WORK_NEEDED, and NOT_FOUND for a method that is not offered. */
export async function beginProof(ctx: Context, name: AgeMethod): Promise<AgeProofRequest> {
  const method = getMethod(name);
  if (!method.isOffered(ctx.env)) throw new AppError("NOT_FOUND");
  const max = { network: AGE_REQUESTS_PER_IP_MAX, site: AGE_REQUESTS_PER_SITE_MAX };
  await limitNetworkByWork(ctx, "age-ip", max, HOUR_MS);
  const state = newToken();
  const nonce = newToken();
  const { digitalCredential, link, verifier } = await method.begin(ctx, { state, nonce });
  const expires = ctx.now + AGE_REQUEST_TTL_MS;
  const request = {
    state_hash: await hashToken(state),
    method: name,
    brand: ctx.brand.id,
    nonce,
    verifier: verifier ?? null,
    ts_expires: expires,
  };
  const holder = await getHolder(ctx, { issueTicket: true });
  // The holder's older request ends unless it was answered.
  await batch(ctx.d1, [
    ctx.db.deleteFrom("age_request").where(heldBy(holder)).where("attestation_hash", "is", null),
    ctx.db
      .insertInto("age_request")
      .values({ ...request, account_id: holder.accountId, ticket_hash: holder.ticketHash }),
  ]);
  const testWallet = __DEVELOPMENT__ && name !== "oidc" ? `/dev/wallet${link.slice(link.indexOf("?"))}` : null;
  const qr = await encodeQrCode(name, link);
  return { state, tsExpires: toIso(expires), digitalCredential, link, qr, testWallet };
}

/** Encodes a link for another device as the rows of a QR code. A provider's page opens on this device instead. */
async function encodeQrCode(method: AgeMethod, link: string): Promise<string[]> {
  if (method === "oidc") return [];
  const { encode } = await import("uqr");
  return encode(link, { ecc: "L", border: 0 }).data.map((row) => row.map((dark) => (dark ? "1" : "0")).join(""));
}

/** Returns the member, or the visitor identified by a ticket; `issueTicket` gives one to a visitor who has none. */
async function getHolder(ctx: Context, { issueTicket }: { issueTicket: boolean }): Promise<Holder> {
  if (ctx.viewer) return { accountId: ctx.viewer.profileId, ticketHash: null };
  const known = readCookie(ctx.request, AGE_COOKIE);
  if (!known && !issueTicket) throw new AppError("NOT_FOUND");
  const ticket = known && known.length <= 100 ? known : newToken();
  if (issueTicket) setHttpOnlyCookie(ctx.responseHeaders, AGE_COOKIE, ticket, AGE_TICKET_TTL_MS / 1000);
  return { accountId: null, ticketHash: await hashToken(ticket) };
}

function heldBy({ accountId, ticketHash }: Holder): RawBuilder<boolean> {
  return accountId === null ? sql<boolean>`ticket_hash = ${ticketHash}` : sql<boolean>`account_id = ${accountId}`;
}

/** Returns the progress of a request. Throws NOT_FOUND for another holder's request. */
export async function getProgress(ctx: Context, state: string): Promise<AgeProofProgress> {
  const row = await ctx.db
    .selectFrom("age_request")
    .select(["outcome", "ts_expires"])
    .where("state_hash", "=", await hashToken(state))
    .where(heldBy(await getHolder(ctx, { issueTicket: false })))
    .executeTakeFirstOrThrow(notFound);
  return { outcome: row.outcome as AgeOutcome | null, expired: row.ts_expires <= ctx.now };
}

/**
 * Submits the response that the browser received. Throws NOT_FOUND for another holder's request, so that nobody can
 * prove another member's age.
 */
export async function submitAsHolder(ctx: Context, state: string, response: string): Promise<AgeProofProgress> {
  await getProgress(ctx, state);
  return { outcome: await submitProof(ctx, state, "browser", response), expired: false };
}

/**
 * Verifies the first response to a request, and stores what it proves. Throws the same NOT_FOUND for a request that is
 * unknown, expired, already answered or of another brand.
 */
export async function submitProof(
  ctx: Context,
  state: string,
  channel: Channel,
  response: string,
): Promise<AgeOutcome> {
  const stateHash = await hashToken(state);
  // Claims the request for its first response, whether that is right or wrong.
  const claimed = await ctx.db
    .updateTable("age_request")
    .set({ answered: 1 })
    .where("state_hash", "=", stateHash)
    .where("brand", "=", ctx.brand.id)
    .where("answered", "=", 0)
    .where("ts_expires", ">", ctx.now)
    .returning(["account_id", "method", "nonce", "verifier"])
    .executeTakeFirstOrThrow(notFound);
  const { account_id: accountId, method, nonce, verifier } = claimed;
  const result = await getMethod(method).verify(ctx, response, { state, nonce, channel, verifier });
  const outcome =
    result.outcome === "proved"
      ? await storeProof(ctx, stateHash, accountId, method, result.attestationHash)
      : result.outcome;
  if (outcome !== "proved" || accountId !== null)
    await ctx.db.updateTable("age_request").set({ outcome }).where("state_hash", "=", stateHash).execute();
  return outcome;
}

/**
 * Stores only the day, the method, the policy and the hash that keeps this attestation from proving anybody else's age.
 */
async function storeProof(
  ctx: Context,
  stateHash: Uint8Array,
  accountId: number | null,
  method: AgeMethod,
  attestationHash: Uint8Array,
): Promise<AgeOutcome> {
  const proof = { method, day: dayOf(ctx.now), policy: agePolicy(ctx.env).version, attestation_hash: attestationHash };
  const query: Query =
    accountId === null
      ? keepVisitorProofQuery(ctx, stateHash, attestationHash)
      : insertProofQuery(ctx, { account_id: accountId, ...proof });
  try {
    const [kept] = await batch(ctx.d1, [query]);
    return kept.length > 0 ? "proved" : "used-before";
  } catch (error) {
    // Presented twice at the same moment: the unique index accepts only one.
    if (/UNIQUE/.test(String(error))) return "used-before";
    throw error;
  }
}

/** Stores a member's proof, replacing an older one; returns no row if the attestation is already used. */
function insertProofQuery({ db }: Context, { account_id, ...proof }: AgeProofRow): Query {
  return insertIf(db, "age_proof", { account_id, ...proof }, isUnused(proof.attestation_hash, account_id))
    .onConflict((conflict) => conflict.column("account_id").doUpdateSet(proof))
    .returning("account_id");
}

/**
 * Keeps a visitor's proof with the request until the account is created; returns no row if the attestation is already
 * used.
 */
function keepVisitorProofQuery({ db, now }: Context, stateHash: Uint8Array, hash: Uint8Array): Query {
  return db
    .updateTable("age_request")
    .set({ attestation_hash: hash, outcome: "proved", ts_expires: now + AGE_TICKET_TTL_MS })
    .where("state_hash", "=", stateHash)
    .where(isUnused(hash, null))
    .returning("method");
}

/** SQL condition: no other account and no visitor has used this attestation. */
function isUnused(hash: Uint8Array, accountId: number | null): RawBuilder<boolean> {
  return sql<boolean>`not exists (select 1 from age_proof where attestation_hash = ${hash} and account_id <> ${accountId ?? 0})
    and not exists (select 1 from age_request where attestation_hash = ${hash})`;
}

/** The preferred method first. */
const METHODS: readonly Method[] = [mdocMethod(EU_AV), mdocMethod(MDL), oidcMethod];

function getMethod(name: AgeMethod): Method {
  const found = METHODS.find(({ method }) => method === name);
  if (!found) throw new Error(`no method ${name}`);
  return found;
}
