import type { AgeOutcome } from "@lambda/contract/age";
import { type Insertable, type RawBuilder, sql } from "kysely";
import type { Query } from "../../platform/db/batch.ts";
import { selectRow } from "../../platform/db/d1.ts";
import type { Database } from "../../platform/db/database.ts";
import type { AgeProofRow, AgeRequestTable } from "../../platform/db/tables.ts";

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

/** Stores a request; the holder's older one ends unless it was answered. */
export function insertAgeRequestQueries(db: Database, holder: Holder, request: Insertable<AgeRequestTable>): Query[] {
  return [
    db.deleteFrom("age_request").where(heldBy(holder)).where("attestation_hash", "is", null),
    db.insertInto("age_request").values({ ...request, account_id: holder.accountId, ticket_hash: holder.ticketHash }),
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

/** SQL condition: no other account and no visitor has used this attestation. */
function isUnused(hash: Uint8Array, accountId: number | null): RawBuilder<boolean> {
  return sql<boolean>`not exists (select 1 from age_proof where attestation_hash = ${hash} and account_id <> ${accountId ?? 0})
    and not exists (select 1 from age_request where attestation_hash = ${hash})`;
}

/** Stores a member's proof, replacing an older one; returns no row if the attestation is already used. */
export function insertAgeProofQuery(db: Database, { account_id, ...proof }: AgeProofRow): Query {
  const { columns, selection } = selectRow(db, { account_id, ...proof });
  return db
    .insertInto("age_proof")
    .columns(columns)
    .expression(selection.where(isUnused(proof.attestation_hash, account_id)))
    .onConflict((conflict) => conflict.column("account_id").doUpdateSet(proof))
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
