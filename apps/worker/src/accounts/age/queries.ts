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

export function findAgeRequest(db: Database, stateHash: Uint8Array, holder: Holder) {
  return db
    .selectFrom("age_request")
    .select(["outcome", "ts_expires", "method"])
    .where("state_hash", "=", stateHash)
    .where(heldBy(holder))
    .executeTakeFirst();
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
