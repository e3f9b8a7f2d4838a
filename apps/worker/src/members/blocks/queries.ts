/** A block stands both ways from the moment it is written; each side sees it in a row of its own. */
import type { BlockedMember } from "@lambda/contract/blocks";
import { type CompiledQuery, type RawBuilder, sql } from "kysely";
import type { Database } from "../../platform/db/database.ts";
import { listedOn, type Onlooker } from "../visibility/visibility.ts";

/**
 * The statements of blocking, for one batch: both rows, the access to the blocker's own album, and the news in his list about the
 * other. What is the other's stays as it would if the blocker hid, so that nothing tells him of the block.
 */
export function insertBlockQueries(db: Database, profileId: number, otherId: number, now: number): CompiledQuery[] {
  return [
    sql`insert into block (profile_id, other_id, by_me, by_other, ts_created) values (${profileId}, ${otherId}, 1, 0, ${now})
        on conflict (profile_id, other_id) do update set by_me = 1, ts_created = excluded.ts_created where by_me = 0`,
    sql`insert into block (profile_id, other_id, by_me, by_other, ts_created) values (${otherId}, ${profileId}, 0, 1, ${now})
        on conflict (profile_id, other_id) do update set by_other = 1 where by_other = 0`,
    sql`delete from album_grant where owner_id = ${profileId} and member_id = ${otherId}`,
    sql`delete from notification where about_id = ${otherId} and profile_id = ${profileId}`,
  ].map((statement) => statement.compile(db));
}

/** The statements of undoing one's own block; a block that the other made stays. */
export function deleteBlockQueries(db: Database, profileId: number, otherId: number): CompiledQuery[] {
  return [
    sql`delete from block where profile_id = ${profileId} and other_id = ${otherId} and by_other = 0`,
    sql`delete from block where profile_id = ${otherId} and other_id = ${profileId} and by_me = 0`,
    sql`update block set by_me = 0 where profile_id = ${profileId} and other_id = ${otherId} and by_me = 1`,
    sql`update block set by_other = 0 where profile_id = ${otherId} and other_id = ${profileId} and by_other = 1`,
  ].map((statement) => statement.compile(db));
}

/** Whom a member blocked, for his export: rows behind an id. */
export function ownBlocks(
  profileId: number,
  after: number,
  limit: RawBuilder<unknown>,
): RawBuilder<Pick<Row, "other_id" | "ts_created"> & { readonly at: number }> {
  return sql`select other_id as at, other_id, ts_created from block
    where profile_id = ${profileId} and by_me = 1 and other_id > ${after} order by other_id limit ${limit}`;
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
