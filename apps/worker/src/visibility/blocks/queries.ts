/** A block works both ways from the moment it is written; each member has a row of their own. */

import type { BlockedMember } from "@lambda/contract/blocks";
import { BULK_CHUNK_ROWS } from "@lambda/contract/limits";
import { sql } from "kysely";
import type { Database, Query } from "../../platform/db/database.ts";
import { toIso } from "../../platform/iso-time.ts";
import { listedOn, type ViewerContext } from "../visibility.ts";

/**
 * Queries that block a member, for one batch: both rows, the grant of the blocker's album, and the blocker's
 * notifications about the other, which the last query returns. The other's data stays as it would if the blocker hid, so that nothing reveals the
 * block.
 */
export function insertBlockQueries(db: Database, profileId: number, otherId: number, now: number): Query[] {
  const conflict = ["profile_id", "other_id"] as const;
  return [
    db
      .insertInto("block")
      .values({ profile_id: profileId, other_id: otherId, blocked_by_profile: 1, blocked_by_other: 0, ts_created: now })
      .onConflict((row) =>
        row
          .columns(conflict)
          .doUpdateSet({ blocked_by_profile: 1, ts_created: now })
          .where("block.blocked_by_profile", "=", 0),
      ),
    db
      .insertInto("block")
      .values({ profile_id: otherId, other_id: profileId, blocked_by_profile: 0, blocked_by_other: 1, ts_created: now })
      .onConflict((row) =>
        row.columns(conflict).doUpdateSet({ blocked_by_other: 1 }).where("block.blocked_by_other", "=", 0),
      ),
    db.deleteFrom("album_grant").where("owner_id", "=", profileId).where("member_id", "=", otherId),
    db
      .deleteFrom("notification")
      .where("about_id", "=", otherId)
      .where("profile_id", "=", profileId)
      .returning(["kind", "brand"]),
  ];
}

/** Queries that undo the member's own block; a block by the other member stays. */
export function deleteBlockQueries(db: Database, profileId: number, otherId: number): Query[] {
  const rows = [
    { profile_id: profileId, other_id: otherId, mine: "blocked_by_profile", theirs: "blocked_by_other" },
    { profile_id: otherId, other_id: profileId, mine: "blocked_by_other", theirs: "blocked_by_profile" },
  ] as const;
  return [
    ...rows.map(({ profile_id, other_id, mine, theirs }) =>
      db
        .deleteFrom("block")
        .where("profile_id", "=", profile_id)
        .where("other_id", "=", other_id)
        .where(mine, "=", 1)
        .where(theirs, "=", 0),
    ),
    ...rows.map(({ profile_id, other_id, mine }) =>
      db
        .updateTable("block")
        .set({ [mine]: 0 })
        .where("profile_id", "=", profile_id)
        .where("other_id", "=", other_id)
        .where(mine, "=", 1),
    ),
  ];
}

/** Members whom a member blocked, for their export: rows after an id. */
export function ownBlocks(db: Database, profileId: number, after: number) {
  return db
    .selectFrom("block")
    .select(["other_id as at", "other_id", "ts_created"])
    .where("profile_id", "=", profileId)
    .where("blocked_by_profile", "=", 1)
    .where("other_id", ">", after)
    .orderBy("other_id")
    .limit(BULK_CHUNK_ROWS);
}

/** The same without pages, for another database, where no join is possible. */
export async function listBlockedIds(db: Database, profileId: number): Promise<number[]> {
  const blocked = db
    .selectFrom("block")
    .select("other_id")
    .where("profile_id", "=", profileId)
    .where("blocked_by_profile", "=", 1);
  return (await blocked.execute()).map(({ other_id }) => other_id);
}

/**
 * Members whom the viewer blocked, ordered by id. Those who hide, left, or blocked the viewer too have no name here.
 */
export function listBlocks(db: Database, { brand, viewer }: ViewerContext, after: number, limit: number) {
  return db
    .selectFrom("block as b")
    .innerJoin("profile as p", "p.id", "b.other_id")
    .select(["b.other_id", "b.ts_created"])
    .select(
      sql<string | null>`case when b.blocked_by_other = 0 and ${listedOn(brand)} then p.profile_name end`.as(
        "shown_name",
      ),
    )
    .where("b.profile_id", "=", viewer.profileId)
    .where("b.blocked_by_profile", "=", 1)
    .where("b.other_id", ">", after)
    .orderBy("b.other_id")
    .limit(limit)
    .execute();
}

export function toBlockedMember(row: Awaited<ReturnType<typeof listBlocks>>[number]): BlockedMember {
  return { profileId: row.other_id, profileName: row.shown_name, tsCreated: toIso(row.ts_created) };
}
