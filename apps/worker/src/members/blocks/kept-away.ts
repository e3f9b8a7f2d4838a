/**
 * Addresses whose owners a member never wants to meet: docs/decisions/2026-11-22-blocks-before-an-account.md. The
 * transaction that creates an account also creates the block; existing accounts are never affected.
 */
import type { KeptAwayAddress } from "@lambda/contract/blocks";
import { BULK_CHUNK_ROWS, KEPT_AWAY_ADDRESSES_MAX } from "@lambda/contract/limits";
import { sql } from "kysely";
import type { Compiled } from "../../platform/db/batch.ts";
import type { Database } from "../../platform/db/database.ts";
import { guardQuery } from "../../platform/db/guard.ts";
import type { Env } from "../../platform/env.ts";
import { toIso } from "../../platform/iso-time.ts";
import { labeledMac } from "../../platform/mac.ts";

export function addressMark(env: Pick<Env, "POSITION_KEY">, mailbox: string): string {
  return labeledMac(env, "kept-away", mailbox).toString("base64url");
}

/**
 * Queries that add an address, for one batch whose guard fails above the limit. An address that is already there is
 * unchanged.
 */
export function insertKeptAwayAddressQueries(db: Database, profileId: number, mark: string, now: number): Compiled[] {
  return [
    guardQuery(
      db,
      sql<boolean>`((select count(*) from kept_away_address where profile_id = ${profileId}) < ${sql.lit(KEPT_AWAY_ADDRESSES_MAX)}
        or exists (select 1 from kept_away_address where mark = ${mark} and profile_id = ${profileId}))`,
    ),
    db
      .insertInto("kept_away_address")
      .values({ profile_id: profileId, mark, ts_created: now })
      .onConflict((conflict) => conflict.columns(["mark", "profile_id"]).doNothing())
      .compile(),
    db
      .selectFrom("kept_away_address")
      .select(["id", "ts_created"])
      .where("mark", "=", mark)
      .where("profile_id", "=", profileId)
      .compile(),
  ];
}

/** Queries that remove an address and the blocks that exist only because of it. */
export function deleteKeptAwayAddressQueries(db: Database, profileId: number, id: number): Compiled[] {
  const own = sql<boolean>`address_id in (select id from kept_away_address where id = ${id} and profile_id = ${profileId})`;
  return [
    db.deleteFrom("block").where(own).where("blocked_by_profile", "=", 0).where("blocked_by_other", "=", 0).compile(),
    db.updateTable("block").set({ address_id: null }).where(own).compile(),
    db
      .deleteFrom("kept_away_address")
      .where("id", "=", id)
      .where("profile_id", "=", profileId)
      .returning("id")
      .compile(),
  ];
}

/**
 * Part of the batch that creates an account, after its insertion: blocks it, both ways, with everybody who keeps its
 * address away. An account that existed before is unaffected.
 */
export function blockKeptAwayQuery(db: Database, mark: string, email: string, now: number): Compiled {
  return db
    .insertInto("block")
    .columns(["profile_id", "other_id", "blocked_by_profile", "blocked_by_other", "ts_created", "address_id"])
    .expression((select) =>
      select
        .selectFrom("kept_away_address as k")
        .crossJoin("account as a")
        .crossJoin(sql<{ column1: 0 | 1 }>`(values (0), (1))`.as("side"))
        .select([
          sql<number>`iif(side.column1, k.profile_id, a.id)`.as("profile_id"),
          sql<number>`iif(side.column1, a.id, k.profile_id)`.as("other_id"),
          sql<number>`0`.as("blocked_by_profile"),
          sql<number>`0`.as("blocked_by_other"),
          sql<number>`${now}`.as("ts_created"),
          "k.id as address_id",
        ])
        .where("k.mark", "=", mark)
        .where("a.email", "=", email)
        .where("a.ts_created", "=", now)
        .whereRef("a.id", "<>", "k.profile_id"),
    )
    .onConflict((conflict) => conflict.columns(["profile_id", "other_id"]).doNothing())
    .compile();
}

export function listKeptAwayAddresses(db: Database, profileId: number) {
  return db
    .selectFrom("kept_away_address")
    .select(["id", "ts_created"])
    .where("profile_id", "=", profileId)
    .orderBy("id")
    .execute();
}

/** For the member's export: rows after an id. */
export function ownKeptAwayAddresses(db: Database, profileId: number, after: number) {
  return db
    .selectFrom("kept_away_address")
    .select(["id as at", "id", "ts_created"])
    .where("profile_id", "=", profileId)
    .where("id", ">", after)
    .orderBy("id")
    .limit(BULK_CHUNK_ROWS);
}

export function toKeptAwayAddress(row: { readonly id: number; readonly ts_created: number }): KeptAwayAddress {
  return { id: row.id, tsCreated: toIso(row.ts_created) };
}
