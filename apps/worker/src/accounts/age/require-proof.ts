/** Checks the age requirements of the place that a request comes from. */
import type { Locale } from "@lambda/contract/accounts";
import { dayOf } from "@lambda/geo/time";
import { sql } from "kysely";
import type { MemberContext } from "../../platform/access.ts";
import type { Context } from "../../platform/context.ts";
import { type Database, guardQuery, insertFrom, type Query } from "../../platform/db/database.ts";
import { AppError } from "../../platform/errors.ts";
import { AGE_COOKIE, readCookie } from "../../platform/http/cookies.ts";
import { hashToken } from "../sessions/tokens.ts";
import { ageCopy } from "./copy.ts";
import { hasProvedAge, isExplicitRestricted } from "./explicit-pictures.ts";
import { agePolicy, ageRule } from "./policy.ts";

/** Throws AGE_PROOF_NEEDED for a member who may not see explicit pictures where they are. */
export async function requireExplicitAllowed(ctx: MemberContext): Promise<void> {
  if (!isExplicitRestricted(ctx)) return;
  const row = await ctx.db.selectNoFrom(sql<number>`${hasProvedAge(ctx)}`.as("proved")).executeTakeFirst();
  if (!row?.proved) throw new AppError("AGE_PROOF_NEEDED");
}

/** Returns the hash of a visitor's ticket whose proof of age is waiting for an account, or null. */
export async function findVisitorTicket(ctx: Context): Promise<Uint8Array | null> {
  const ticket = readCookie(ctx.request, AGE_COOKIE);
  if (!ticket || ticket.length > 100) return null;
  const hash = await hashToken(ticket);
  return (await findVisitorProof(ctx.db, hash, ctx.now)) ? hash : null;
}

/** Finds a visitor's proof that is still waiting for an account. */
function findVisitorProof(db: Database, ticketHash: Uint8Array, now: number) {
  return db
    .selectFrom("age_request")
    .select("method")
    .where("ticket_hash", "=", ticketHash)
    .where("attestation_hash", "is not", null)
    .where("ts_expires", ">", now)
    .executeTakeFirst();
}

/** Throws CLOSED_HERE or AGE_PROOF_NEEDED where not everybody may join. */
export function requireJoinAllowed(ctx: Context, locale: Locale): void {
  const { join } = ageRule(ctx);
  const copy = ageCopy[locale];
  if (join === "closed") throw new AppError("CLOSED_HERE", { message: copy.closedWhy(ctx.brand.name) });
  if (join === "proof") throw new AppError("AGE_PROOF_NEEDED", { message: copy.joinNeedsProof });
}

/** The same check right before an account is created, with the proof and the language that came with the link. */
export async function requireJoinAllowedWithProof(
  ctx: Context,
  loginCode: { readonly age_ticket_hash: Uint8Array | null; readonly locale: Locale } | undefined,
): Promise<void> {
  const { age_ticket_hash: ticketHash = null, locale = "en" } = loginCode ?? {};
  const proved = ticketHash ? await findVisitorProof(ctx.db, new Uint8Array(ticketHash), ctx.now) : undefined;
  if (ageRule(ctx).join === "closed" || !proved) requireJoinAllowed(ctx, locale);
}

/**
 * Moves a visitor's proof to the account that the same batch creates. Where a proof is required, the batch fails if
 * another account has claimed it in the meantime.
 */
export function transferVisitorProofQueries(ctx: Context, email: string, stored: Uint8Array | null): Query[] {
  if (!stored) return [];
  const ticketHash = new Uint8Array(stored);
  const isWaiting = sql<boolean>`exists (select 1 from age_request where ticket_hash = ${ticketHash} and attestation_hash is not null)`;
  const proof = ctx.db
    .selectFrom("age_request as r")
    .innerJoin("account as a", (join) => join.on("a.email", "=", email))
    .select(["a.id as account_id", "r.method", sql<Uint8Array>`r.attestation_hash`.as("attestation_hash")])
    .where("r.ticket_hash", "=", ticketHash)
    .where("r.attestation_hash", "is not", null)
    .where("r.ts_expires", ">", ctx.now);
  const required = { day: dayOf(ctx.now), policy: agePolicy(ctx.env).version };
  const move = [
    insertFrom(ctx.db, "age_proof", proof, required).onConflict((conflict) => conflict.doNothing()),
    ctx.db.deleteFrom("age_request").where("ticket_hash", "=", ticketHash),
  ];
  return ageRule(ctx).join === "proof" ? [guardQuery(ctx.db, isWaiting), ...move] : move;
}
