import type { AgeMethod, AgeOutcome } from "@lambda/contract/age";
import { type RawBuilder, sql } from "kysely";
import type { Query } from "../../platform/db/batch.ts";
import type { Database } from "../../platform/db/database.ts";

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

/** Who asks for a proof: a member, or a visitor who holds a ticket. */
export type Holder =
  | { readonly accountId: number; readonly ticketHash: null }
  | { readonly accountId: null; readonly ticketHash: Uint8Array };

export interface NewAgeRequest {
  readonly stateHash: Uint8Array;
  readonly holder: Holder;
  readonly method: AgeMethod;
  readonly brand: string;
  readonly nonce: string;
  readonly verifier: string | null;
  readonly expires: number;
}

/** Stores a request; the holder's older one ends unless it was answered. */
export function insertAgeRequestQueries(db: Database, request: NewAgeRequest): Query[] {
  const { stateHash, holder, method, brand, nonce, verifier, expires } = request;
  return [
    db.deleteFrom("age_request").where(heldBy(holder)).where("attestation_hash", "is", null),
    db.insertInto("age_request").values({
      state_hash: stateHash,
      account_id: holder.accountId,
      ticket_hash: holder.ticketHash,
      method,
      brand,
      nonce,
      verifier,
      ts_expires: expires,
    }),
  ];
}

function heldBy({ accountId, ticketHash }: Holder): RawBuilder<boolean> {
  return accountId === null ? sql<boolean>`ticket_hash = ${ticketHash}` : sql<boolean>`account_id = ${accountId}`;
}

/** Claims a request for its first response, whether that is right or wrong. */
export function claimAgeRequest(db: Database, stateHash: Uint8Array, brand: string, now: number) {
  return db
    .updateTable("age_request")
    .set({ answered: 1 })
    .where("state_hash", "=", stateHash)
    .where("brand", "=", brand)
    .where("answered", "=", 0)
    .where("ts_expires", ">", now)
    .returning(["account_id", "method", "nonce", "verifier"])
    .executeTakeFirst();
}

export function findAgeRequest(db: Database, stateHash: Uint8Array, holder: Holder) {
  return db
    .selectFrom("age_request")
    .select(["outcome", "ts_expires", "method"])
    .where("state_hash", "=", stateHash)
    .where(heldBy(holder))
    .executeTakeFirst();
}

export function updateAgeOutcome(db: Database, stateHash: Uint8Array, outcome: AgeOutcome) {
  return db.updateTable("age_request").set({ outcome }).where("state_hash", "=", stateHash).execute();
}

export interface NewAgeProof {
  readonly method: AgeMethod;
  readonly day: number;
  readonly policy: string;
  readonly attestationHash: Uint8Array;
}

/** SQL condition: no other account and no visitor has used this attestation. */
function isUnused(hash: Uint8Array, accountId: number | null): RawBuilder<boolean> {
  return sql<boolean>`not exists (select 1 from age_proof where attestation_hash = ${hash} and account_id <> ${accountId ?? 0})
    and not exists (select 1 from age_request where attestation_hash = ${hash})`;
}

/** Stores a member's proof, replacing an older one; returns no row if the attestation is already used. */
export function insertAgeProofQuery(db: Database, accountId: number, proof: NewAgeProof): Query {
  const { method, day, policy, attestationHash } = proof;
  return db
    .insertInto("age_proof")
    .columns(["account_id", "method", "day", "policy", "attestation_hash"])
    .expression(
      db
        .selectNoFrom((select) => [
          select.val(accountId).as("account_id"),
          select.val(method).as("method"),
          select.val(day).as("day"),
          select.val(policy).as("policy"),
          select.val(attestationHash).as("attestation_hash"),
        ])
        .where(isUnused(attestationHash, accountId)),
    )
    .onConflict((conflict) =>
      conflict.column("account_id").doUpdateSet({ method, day, policy, attestation_hash: attestationHash }),
    )
    .returning("account_id");
}

/**
 * Keeps a visitor's proof with the request until the account is created; returns no row if the attestation is already
 * used.
 */
export function storeVisitorProofQuery(db: Database, stateHash: Uint8Array, hash: Uint8Array, expires: number): Query {
  return db
    .updateTable("age_request")
    .set({ attestation_hash: hash, outcome: "proved", ts_expires: expires })
    .where("state_hash", "=", stateHash)
    .where(isUnused(hash, null))
    .returning("method");
}

/** Finds a visitor's proof that is still waiting for an account. */
export function findVisitorProof(db: Database, ticketHash: Uint8Array, now: number) {
  return db
    .selectFrom("age_request")
    .select("method")
    .where("ticket_hash", "=", ticketHash)
    .where("attestation_hash", "is not", null)
    .where("ts_expires", ">", now)
    .executeTakeFirst();
}

/** Moves a visitor's proof to the account that the same batch creates for an address. */
export function moveVisitorProofQueries(
  db: Database,
  {
    ticketHash,
    email,
    day,
    policy,
    now,
  }: { ticketHash: Uint8Array; email: string; day: number; policy: string; now: number },
): Query[] {
  return [
    db
      .insertInto("age_proof")
      .columns(["account_id", "method", "day", "policy", "attestation_hash"])
      .expression((eb) =>
        eb
          .selectFrom("age_request as r")
          .innerJoin("account as a", (join) => join.on("a.email", "=", email))
          .select((select) => [
            "a.id as account_id",
            "r.method",
            select.val(day).as("day"),
            select.val(policy).as("policy"),
            sql<Uint8Array>`r.attestation_hash`.as("attestation_hash"),
          ])
          .where("r.ticket_hash", "=", ticketHash)
          .where("r.attestation_hash", "is not", null)
          .where("r.ts_expires", ">", now),
      )
      .onConflict((conflict) => conflict.doNothing()),
    db.deleteFrom("age_request").where("ticket_hash", "=", ticketHash),
  ];
}
