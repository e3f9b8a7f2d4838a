/** A block stands both ways from the moment it is written; each side sees it in a row of its own. */
import type { BlockedMember } from "@lambda/contract/blocks";
import { type CompiledQuery, sql } from "kysely";
import type { Database } from "../../db/database.ts";
import type { Onlooker } from "../visibility/visible.ts";

/**
 * The statements of blocking, for one batch: both rows, the album grants between the two, and what each one's list of
 * notifications says about the other. Likes and messages stay, unseen, so that undoing brings them back.
 */
export function insertBlock(db: Database, profileId: number, otherId: number, now: number): CompiledQuery[] {
  return [
    sql`insert into block (profile_id, other_id, by_me, by_other, ts_created) values (${profileId}, ${otherId}, 1, 0, ${now})
        on conflict (profile_id, other_id) do update set by_me = 1, ts_created = excluded.ts_created where by_me = 0`,
    sql`insert into block (profile_id, other_id, by_me, by_other, ts_created) values (${otherId}, ${profileId}, 0, 1, ${now})
        on conflict (profile_id, other_id) do update set by_other = 1 where by_other = 0`,
    sql`delete from album_grant where owner_id = ${profileId} and member_id = ${otherId}`,
    sql`delete from album_grant where owner_id = ${otherId} and member_id = ${profileId}`,
    ...deleteNotificationsBetween(profileId, otherId),
  ].map((statement) => statement.compile(db));
}

function deleteNotificationsBetween(profileId: number, otherId: number) {
  return [
    sql`delete from notification where about_id = ${profileId} and profile_id = ${otherId}`,
    sql`delete from notification where about_id = ${otherId} and profile_id = ${profileId}`,
  ];
}

/** The statements of undoing one's own block; a block that the other made stays. */
export function deleteBlock(db: Database, profileId: number, otherId: number): CompiledQuery[] {
  return [
    sql`delete from block where profile_id = ${profileId} and other_id = ${otherId} and by_other = 0`,
    sql`delete from block where profile_id = ${otherId} and other_id = ${profileId} and by_me = 0`,
    sql`update block set by_me = 0 where profile_id = ${profileId} and other_id = ${otherId} and by_me = 1`,
    sql`update block set by_other = 0 where profile_id = ${otherId} and other_id = ${profileId} and by_other = 1`,
  ].map((statement) => statement.compile(db));
}

interface Row {
  readonly other_id: number;
  readonly ts_created: number;
  readonly shown_name: string | null;
}

/** Whom the viewer blocked, in order of id. Who hides, left, or blocked the viewer too, has no name here. */
export function listBlocks(db: Database, { brand, viewer }: Onlooker, after: number, limit: number) {
  return db
    .selectFrom("block as b")
    .innerJoin("profile as p", "p.id", "b.other_id")
    .select(["b.other_id", "b.ts_created"])
    .select(
      sql<string | null>`case when b.by_other = 0 and p.listed_on & ${brand.bit} <> 0 then p.profile_name end`.as(
        "shown_name",
      ),
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
