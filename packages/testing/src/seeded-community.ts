/** For tests of query costs: inserts a community of any size directly, with one member whose every list is full. */
import { RATING_ANSWERS } from "@lambda/contract/game-answers";
import { BUSTER_TEXT_MIN_CHARS, PICTURES_PER_PROFILE_MAX } from "@lambda/contract/limits";
import { keyOfPoint } from "@lambda/geo/curve";
import { sectorAndNeighbors, sectorOfPoint } from "@lambda/geo/sector";
import { versionOf } from "@lambda/worker/games-items";
import { squaresAround } from "@lambda/worker/games-nearby-players";
import { insertMembers } from "./members.ts";
import type { RunSql } from "./sql.ts";

/** The first seeded member id, above the ids of members created over HTTP. Picture n belongs to member n. */
export const FIRST_SEEDED_ID = 10_000_000;
/** Some members have a second picture, whose id is higher by this. */
const SECOND_PICTURE_OFFSET = 2_000_000;
/** Enough items for two pages of any list. */
const ITEMS_PER_LIST = 64;
/** The first picture id of the full album. */
const FIRST_ALBUM_ID = 20_000_000;
const TEXT = "A text of my own, ".repeat(Math.ceil(BUSTER_TEXT_MIN_CHARS / 18));
const TEXT_VERSION = versionOf(TEXT);
const PLACE = { lat: 33.45, lon: -112.07 };

export interface SeededRelations {
  /** A match with a full album and a long conversation. */
  readonly friend: number;
  /** A member whose latest messages are unread. */
  readonly writer: number;
  readonly lastWriterMessageId: number;
  /** Returns another member with each call. */
  readonly nextStranger: () => number;
}

/**
 * Fills sqlite_sequence with a row for each table, in a fixed order. A new id reads the rows before its table's own,
 * which are in order of first use, so costs would depend on which test ran first. Ids above the seeded ones are reset,
 * so that the next ones are below them.
 */
export async function padAutoincrement(run: RunSql): Promise<void> {
  const [sequences = []] = await run({
    query: `select t.name, ifnull(s.seq, 0) as seq from sqlite_master t left join sqlite_sequence s on s.name = t.name
      where t.type = 'table' and t.sql like '%AUTOINCREMENT%' order by t.name`,
  });
  await run(
    { query: "delete from sqlite_sequence" },
    ...(sequences as { name: string; seq: number }[]).map(({ name, seq }) => ({
      query: "insert into sqlite_sequence values (?, ?)",
      values: [name, seq < FIRST_SEEDED_ID ? seq : FIRST_SEEDED_ID / 10],
    })),
  );
}

/**
 * Inserts the seeded members `from` to `to`, with pictures, texts, positions, and likes, messages, broadcasts and votes
 * among them.
 */
export async function seedMembers(run: RunSql, from: number, to: number): Promise<void> {
  const now = Date.now();
  await insertMembers(
    run,
    Array.from({ length: to - from }, (_, index) => {
      const id = FIRST_SEEDED_ID + from + index;
      return {
        id,
        description: TEXT,
        pictures: id % 5 === 3 ? [id, id + SECOND_PICTURE_OFFSET] : [id],
        randomOrder: Number((BigInt(id) * 2654435761n) % 4294967296n),
        created: 1,
        seen: now,
      };
    }),
  );
  const ids = `with recursive n(id) as (select ${FIRST_SEEDED_ID + from} union all select id + 1 from n where id < ${FIRST_SEEDED_ID + to - 1})`;
  const statements = [
    `insert into picture (id, profile_id, audience, width, height, bytes, ts_created, ts_updated) ${ids} select id, id, 'public', 800, 1000, 1, 1, 1 from n`,
    `insert into picture (id, profile_id, audience, width, height, bytes, ts_created, ts_updated)
      ${ids} select id + ${SECOND_PICTURE_OFFSET}, id, 'public', 800, 1000, 1, 1, 1 from n where id % 5 = 3`,
    `insert into position (profile_id, use, precision, cell, key, ts_published, ts_effective_until)
      ${ids} select id, 'OVERRIDE', 'street', 1, (((id * 2654435761) % 2147483648) << 19) + iif(id % 2, 0, 3 << 50), ${now}, ${now + 90_000_000} from n`,
    `insert into profile_like (liker_id, liked_id, like_type, ts_created) ${ids} select id, id - 1, 'LIKE', id from n where id > ${FIRST_SEEDED_ID}`,
    `insert into picture_like ${ids} select id, id - 1, id - 1, 'LIKE', id from n where id > ${FIRST_SEEDED_ID}`,
    `insert into message (sender_id, recipient_id, low_id, high_id, client_id, body_text, brand, ts_created)
      ${ids} select id, id - 1, id - 1, id, 'seeded', 'Hello', 'ember', 1 from n where id > ${FIRST_SEEDED_ID}`,
    `insert into conversation (profile_id, other_id, last_message_id, unread)
      select sender_id, recipient_id, id, 0 from message where client_id = 'seeded' and sender_id >= ${FIRST_SEEDED_ID + from}`,
    `insert into message (sender_id, client_id, body_text, brand, sector, ts_created)
      ${ids} select id, 'area', 'Hello all', 'ember', '${JSON.stringify(sectorAndNeighbors(sectorOfPoint(PLACE)))}' ->> (id % 9), 1 from n`,
    `insert into notification (profile_id, kind, about_id, body_text, brand, ts_created) ${ids} select id, 'like', id - 1, 'x', 'ember', 1 from n where id > ${FIRST_SEEDED_ID}`,
    `insert into game_item (game, picture_id, subject_id, version, known, answer, votes, ts_created)
      ${ids} select 'rating', id, id, 1, '${JSON.stringify(RATING_ANSWERS)}' ->> (id / 4 % 4), 'safe', 5, 1 from n where id % 4 = 0`,
    // Every third member plays cooties, in one of four squares around the member whose lists are full.
    `insert into cooties_player (profile_id, brand, ts_joined, square) ${ids} select n.id, 1, 1, value
      from n join json_each('${JSON.stringify(squaresAround(keyOfPoint(PLACE)).slice(-4))}') on key = n.id / 3 % 4 where n.id % 3 = 0`,
  ];
  await run(...statements.map((query) => ({ query })));
}

/**
 * Fills every list of the member `me` with members that communities of every size have, whose ids start at `first`.
 * Call it again with `isRepeated` after the community has grown.
 */
export async function seedRelations(
  run: RunSql,
  me: number,
  ownPicture: number,
  isRepeated: boolean,
  first: number = FIRST_SEEDED_ID,
): Promise<SeededRelations> {
  const relations = { me, ownPicture, first, friend: first + 10, writer: first + 20 };
  if (!isRepeated) await run(...relationStatements(relations).map((query) => ({ query })));
  await run(...repeatedStatements(relations, isRepeated).map((query) => ({ query })));
  const { friend, writer } = relations;
  const [latest = []] = await run({
    query: "select max(id) as id from message where sender_id = ?",
    values: [writer],
  });
  let next = first + (isRepeated ? 60 : 30);
  return { friend, writer, lastWriterMessageId: Number(latest[0]?.id ?? 0), nextStranger: () => next++ };
}

interface Relations {
  readonly me: number;
  readonly ownPicture: number;
  readonly first: number;
  readonly friend: number;
  readonly writer: number;
}

function relationStatements({ me, ownPicture, first, friend }: Relations): string[] {
  const now = Date.now();
  const others = `with recursive n(id) as (select ${first + 100} union all select id + 1 from n where id < ${first + 99 + ITEMS_PER_LIST})`;
  return [
    `insert or replace into position (profile_id, use, precision, cell, key, ts_published, ts_effective_until)
      values (${me}, 'OVERRIDE', 'street', 1, ${keyOfPoint(PLACE)}, ${now}, ${now + 90_000_000})`,
    `insert into profile_like (liker_id, liked_id, like_type, ts_created) ${others} select id, ${me}, 'LIKE', id from n`,
    `insert into profile_like (liker_id, liked_id, like_type, ts_created) ${others} select ${me}, id, 'LIKE', id from n`,
    `insert into picture_like ${others} select id, ${ownPicture}, ${me}, 'LIKE', id from n`,
    `insert into picture_like ${others} select ${me}, id, id, 'LIKE', id from n`,
    `insert into profile_note ${others} select ${me}, id, 'A note', '["tall"]', id from n`,
    `insert into notification (profile_id, kind, about_id, body_text, brand, ts_created) ${others} select ${me}, 'like', id, 'x', 'ember', 1 from n`,
    `insert into album_grant (owner_id, member_id, state, ts_expires, ts_created) ${others} select ${me}, id, 'granted', null, 1 from n`,
    `insert into album_grant (owner_id, member_id, state, ts_expires, ts_created) ${others} select id, ${me}, 'granted', null, 1 from n`,
    `insert into message (sender_id, recipient_id, low_id, high_id, client_id, body_text, brand, ts_created)
      ${others} select id, ${me}, ${me}, id, 'to-me', 'Hello', 'ember', 1 from n`,
    `insert into conversation (profile_id, other_id, last_message_id, unread) select recipient_id, sender_id, id, 1 from message where client_id = 'to-me'`,
    `insert into conversation (profile_id, other_id, last_message_id, unread) select sender_id, recipient_id, id, 0 from message where client_id = 'to-me'`,
    `insert into block (profile_id, other_id, blocked_by_profile, blocked_by_other, ts_created) with recursive n(id) as (select ${first + 200} union all select id + 1 from n where id < ${first + 199 + ITEMS_PER_LIST})
      select ${me}, id, 1, 0, 1 from n`,
    // A full album, all of whose pictures the member likes.
    `insert into picture (id, profile_id, audience, width, height, bytes, ts_created, ts_updated)
      with recursive n(id) as (select 2 union all select id + 1 from n where id < ${PICTURES_PER_PROFILE_MAX})
      select ${FIRST_ALBUM_ID} + id, ${friend}, 'public', 800, 1000, 1, 1, 1 from n`,
    `update profile set pics_public = (select json_group_array(id) from picture where profile_id = ${friend}) where id = ${friend}`,
    `insert into picture_like select ${me}, id, ${friend}, 'LIKE', 1 from picture where profile_id = ${friend}`,
    // A conversation of several pages with the friend.
    `insert into message (sender_id, recipient_id, low_id, high_id, client_id, body_text, brand, ts_created)
      ${others} select ${friend}, ${me}, ${me}, ${friend}, 'history' || id, 'Hello', 'ember', 1 from n`,
    `insert into conversation (profile_id, other_id, last_message_id, unread)
      select recipient_id, sender_id, max(id), 0 from message where sender_id = ${friend} and recipient_id = ${me}`,
    `insert into conversation (profile_id, other_id, last_message_id, unread)
      select sender_id, recipient_id, max(id), 0 from message where sender_id = ${friend} and recipient_id = ${me}`,
  ];
}

function repeatedStatements({ me, writer }: Relations, isRepeated: boolean): string[] {
  return [
    // The member has voted on a quarter of the pictures and texts in games, and liked half of the pictures.
    ...voteStatements(me, "id % 4 = 1"),
    `insert or ignore into picture_like select ${me}, id, profile_id, 'LIKE', id from picture where id % 2 = 0 and profile_id <> ${me}
      and profile_id not in (select other_id from block where profile_id = ${me})`,
    // Five new messages of the writer in each call.
    `insert into message (sender_id, recipient_id, low_id, high_id, client_id, body_text, brand, ts_created)
      with recursive n(id) as (select 1 union all select id + 1 from n where id < 5)
      select ${writer}, ${me}, ${me}, ${writer}, 'writer' || id || '${isRepeated}', 'Hello', 'ember', 1 from n`,
    ...[
      ["recipient_id", "sender_id", 5],
      ["sender_id", "recipient_id", 0],
    ].map(
      ([mine, other, unread]) => `insert into conversation (profile_id, other_id, last_message_id, unread)
        select ${mine}, ${other}, max(id), ${unread} from message where sender_id = ${writer} and recipient_id = ${me}
        on conflict do update set last_message_id = excluded.last_message_id, unread = excluded.unread`,
    ),
  ];
}

/** Returns statements that store a member's votes in the games on the pictures and texts of others. */
function voteStatements(me: number, condition: string): string[] {
  const others = `profile_id <> ${me} and ${condition}`;
  return [
    `insert or ignore into game_item (game, picture_id, subject_id, version, ts_created)
      select 'rating', id, profile_id, version, 1 from picture where ${others}`,
    `insert or ignore into game_item (game, subject_id, version, ts_created)
      select 'buster', profile_id, ${TEXT_VERSION}, 1 from picture where ${others}`,
    `insert or ignore into game_vote select id, ${me}, iif(game = 'rating', 'safe', 'person'), 1, 1 from game_item
      where subject_id in (select profile_id from picture where ${others})`,
  ];
}

/** Leaves nothing for this member to vote on. */
export async function voteOnEverything(run: RunSql, me: number): Promise<void> {
  const statements = [
    ...voteStatements(me, "true"),
    `insert or ignore into picture_like select ${me}, id, profile_id, 'LIKE', id from picture where profile_id <> ${me}`,
  ];
  await run(...statements.map((query) => ({ query })));
}
