/** A block stands both ways from the moment it is written; each side sees it in a row of its own. */
import type { BlockedMember } from "@lambda/contract/blocks";
import { BULK_CHUNK_ROWS } from "@lambda/contract/limits";
import { type CompiledQuery, sql } from "kysely";
import type { Database } from "../../platform/db/database.ts";
import { listedOn, type Onlooker } from "../visibility/visibility.ts";

/**
 * The queries of blocking, for one batch: both rows, the access to the blocker's album, and the blocker's notifications about the
 * other. What is the other's stays as it would if the blocker hid, so that nothing tells of the block.
 */
export function insertBlockQueries(db: Database, profileId: number, otherId: number, now: number): CompiledQuery[] {
  const conflict = ["profile_id", "other_id"] as const;
  return [
    db
      .insertInto("block")
      .values({ profile_id: profileId, other_id: otherId, by_me: 1, by_other: 0, ts_created: now })
      .onConflict((row) =>
        row.columns(conflict).doUpdateSet({ by_me: 1, ts_created: now }).where("block.by_me", "=", 0),
      ),
    db
      .insertInto("block")
      .values({ profile_id: otherId, other_id: profileId, by_me: 0, by_other: 1, ts_created: now })
      .onConflict((row) => row.columns(conflict).doUpdateSet({ by_other: 1 }).where("block.by_other", "=", 0)),
    db.deleteFrom("album_grant").where("owner_id", "=", profileId).where("member_id", "=", otherId),
    db.deleteFrom("notification").where("about_id", "=", otherId).where("profile_id", "=", profileId),
  ].map((query) => query.compile());
}

/** The queries of undoing one's own block; a block that the other made stays, and one that an address made. */
export function deleteBlockQueries(db: Database, profileId: number, otherId: number): CompiledQuery[] {
  const sides = [
    { profile_id: profileId, other_id: otherId, mine: "by_me", theirs: "by_other" },
    { profile_id: otherId, other_id: profileId, mine: "by_other", theirs: "by_me" },
  ] as const;
  return [
    ...sides.map(({ profile_id, other_id, theirs }) =>
      db
        .deleteFrom("block")
        .where("profile_id", "=", profile_id)
        .where("other_id", "=", other_id)
        .where(theirs, "=", 0)
        .where("address_id", "is", null),
    ),
    ...sides.map(({ profile_id, other_id, mine }) =>
      db
        .updateTable("block")
        .set({ [mine]: 0 })
        .where("profile_id", "=", profile_id)
        .where("other_id", "=", other_id)
        .where(mine, "=", 1),
    ),
  ].map((query) => query.compile());
}

/** Whom a member blocked, for their export: rows behind an id. */
export function ownBlocks(db: Database, profileId: number, after: number) {
  return db
    .selectFrom("block")
    .select(["other_id as at", "other_id", "ts_created"])
    .where("profile_id", "=", profileId)
    .where("by_me", "=", 1)
    .where("other_id", ">", after)
    .orderBy("other_id")
    .limit(BULK_CHUNK_ROWS);
}

/** The same, all of them at once: where no join is possible, in another database. */
export async function listBlockedIds(db: Database, profileId: number): Promise<number[]> {
  const blocked = db.selectFrom("block").select("other_id").where("profile_id", "=", profileId).where("by_me", "=", 1);
  return (await blocked.execute()).map(({ other_id }) => other_id);
}

interface Row {
  readonly other_id: number;
  readonly ts_created: number;
  readonly shown_name: string | null;
}

/** Whom the viewer blocked, in order of id. Members who hide, left, or blocked the viewer too have no name here. */
export function listBlocks(db: Database, { brand, viewer }: Onlooker, after: number, limit: number) {
  return db
    .selectFrom("block as b")
    .innerJoin("profile as p", "p.id", "b.other_id")
    .select(["b.other_id", "b.ts_created"])
    .select(
      sql<string | null>`case when b.by_other = 0 and ${listedOn(brand)} then p.profile_name end`.as("shown_name"),
    )
    .where("b.profile_id", "=", viewer.profileId)
    .where("b.by_me", "=", 1)
    .where("b.other_id", ">", after)
    .orderBy("b.other_id")
    .limit(limit)
    .execute();
}

export function toBlockedMember(row: Row): BlockedMember {
  return {
    profileId: row.other_id,
    profileName: row.shown_name,
    tsCreated: new Date(row.ts_created).toISOString(),
  };
}
