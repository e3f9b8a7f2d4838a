/** For tests of cost: a community of any size, made by the statement and not by the call, and one member with every page full. */

import { RATING_ANSWERS } from "@lambda/contract/game-answers";
import { GUESSED_TEXT_MIN_CHARS, PICTURES_PER_PROFILE_MAX } from "@lambda/contract/limits";
import { versionOf } from "../../../apps/worker/src/community/games/items.ts";
import { squaresAround } from "../../../apps/worker/src/community/games/near.ts";
import { sectorOfPoint, sectorsAround } from "../../../apps/worker/src/places/areas/sectors.ts";
import { keyOfPoint } from "../../../apps/worker/src/places/positions/curve.ts";

/** Ids of a crowd begin here, above those of any member who was made by a call before; picture n belongs to member n. */
const FIRST = 10_000_000;
/** Enough of everything for two pages. */
/** Some members have a second picture, whose id is this much higher than the first one's. */
const SECOND_PICTURE = 2_000_000;
const FULL = 64;
/** Ids of the pictures of the full album. */
const ALBUM_FIRST = 20_000_000;
const TEXT = "A text of my own, ".repeat(Math.ceil(GUESSED_TEXT_MIN_CHARS / 18));
const TEXT_VERSION = versionOf(TEXT);
const PLACE = { lat: 33.45, lon: -112.07 };

export interface Crowd {
  /** Visible to me, with a full album; we match and talk. */
  readonly friend: number;
  /** His latest messages are not read. */
  readonly writer: number;
  readonly lastFrom: number;
  /** Someone new with each call. */
  readonly stranger: () => number;
}

/**
 * A new id costs the rows of sqlite_sequence up to its table's own, which stand in the order of first use. Here they are as in a database that
 * has used all, always in the same order. Where a test before made ids above those of a crowd, the next ones lie below it again.
 */
export async function orderSequences(d1: D1Database): Promise<void> {
  const { results } = await d1
    .prepare(
      `select t.name, ifnull(s.seq, 0) as seq from sqlite_master t left join sqlite_sequence s on s.name = t.name
       where t.type = 'table' and t.sql like '%AUTOINCREMENT%' order by t.name`,
    )
    .all<{ name: string; seq: number }>();
  await d1.batch([
    d1.prepare("delete from sqlite_sequence"),
    ...results.map(({ name, seq }) =>
      d1.prepare("insert into sqlite_sequence values (?, ?)").bind(name, seq < FIRST ? seq : FIRST / 10),
    ),
  ]);
}

/** Members from..to with picture, text, position, likes, messages, broadcasts and votes among themselves. */
export async function growCrowd(d1: D1Database, from: number, to: number): Promise<void> {
  const now = Date.now();
  const ids = `with recursive n(id) as (select ${FIRST + from} union all select id + 1 from n where id < ${FIRST + to - 1})`;
  const statements = [
    `insert into account (id, email, home_brand, ts_created) ${ids} select id, 'n' || id || '@example.test', 'ember', 1 from n`,
    `insert into profile (id, profile_name, birthdate, description, characteristics, pics_public, shared_on, random_order, ts_seen, ts_updated)
      ${ids} select id, 'Member ' || id, '1990-05-17', '${TEXT}', 0, iif(id % 5 = 3, json_array(id, id + ${SECOND_PICTURE}), json_array(id)), 1, (id * 2654435761) % 4294967296, ${now - (now % 900_000)}, 1 from n`,
    `insert into picture (id, profile_id, audience, width, height, bytes, ts_created, ts_updated) ${ids} select id, id, 'public', 800, 1000, 1, 1, 1 from n`,
    `insert into picture (id, profile_id, audience, width, height, bytes, ts_created, ts_updated)
      ${ids} select id + ${SECOND_PICTURE}, id, 'public', 800, 1000, 1, 1, 1 from n where id % 5 = 3`,
    `insert into position (profile_id, use, precision, cell, key, ts_published, ts_effective_until)
      ${ids} select id, 'OVERRIDE', 'street', 1, ((id * 2654435761) % 4294967296) << 20, ${now}, ${now + 90_000_000} from n`,
    `insert into profile_like (liker_id, liked_id, like_type, ts_created) ${ids} select id, id - 1, 'LIKE', id from n where id > ${FIRST}`,
    `insert into picture_like ${ids} select id, id - 1, id - 1, 'LIKE', id from n where id > ${FIRST}`,
    `insert into message (sender_id, recipient_id, low_id, high_id, client_id, body_text, brand, ts_created)
      ${ids} select id, id - 1, id - 1, id, 'crowd', 'Hello', 'ember', 1 from n where id > ${FIRST}`,
    `insert into conversation (profile_id, other_id, last_message_id, unread)
      select sender_id, recipient_id, id, 0 from message where client_id = 'crowd' and sender_id >= ${FIRST + from}`,
    `insert into message (sender_id, client_id, body_text, brand, sector, ts_created)
      ${ids} select id, 'area', 'Hello all', 'ember', '${JSON.stringify(sectorsAround(sectorOfPoint(PLACE)))}' ->> (id % 9), 1 from n`,
    `insert into notification (profile_id, kind, about_id, body_text, brand, ts_created) ${ids} select id, 'like', id - 1, 'x', 'ember', 1 from n where id > ${FIRST}`,
    `insert into game_item (game, picture_id, subject_id, version, known, answer, votes, ts_created)
      ${ids} select 'rating', id, id, 1, '${JSON.stringify(RATING_ANSWERS)}' ->> (id / 4 % 4), 'safe', 5, 1 from n where id % 4 = 0`,
    // Every third plays, all in four squares around the place of the member whose pages are full.
    `insert into cooties_player (profile_id, brand, ts_joined, square) ${ids} select n.id, 1, 1, value
      from n join json_each('${JSON.stringify(squaresAround(keyOfPoint(PLACE)).slice(-4))}') on key = n.id / 3 % 4 where n.id % 3 = 0`,
  ];
  await d1.batch(statements.map((statement) => d1.prepare(statement)));
}

/** The pages of the member `me`, all full, with members whom every size of the crowd has; called again after the crowd grew. */
export async function surround(d1: D1Database, me: number, ownPicture: number, again: boolean): Promise<Crowd> {
  const now = Date.now();
  const others = `with recursive n(id) as (select ${FIRST + 100} union all select id + 1 from n where id < ${FIRST + 99 + FULL})`;
  const friend = FIRST + 10;
  const writer = FIRST + 20;
  const pair = (other: number) => `${me}, ${other}`;
  const run = (statements: readonly string[]) => d1.batch(statements.map((statement) => d1.prepare(statement)));
  if (!again) {
    await run([
      `insert or replace into position (profile_id, use, precision, cell, key, ts_published, ts_effective_until)
        values (${me}, 'OVERRIDE', 'street', 1, ${keyOfPoint(PLACE)}, ${now}, ${now + 90_000_000})`,
      `insert into profile_like (liker_id, liked_id, like_type, ts_created) ${others} select id, ${me}, 'LIKE', id from n`,
      `insert into profile_like (liker_id, liked_id, like_type, ts_created) ${others} select ${me}, id, 'LIKE', id from n`,
      `insert into picture_like ${others} select id, ${ownPicture}, ${me}, 'LIKE', id from n`,
      `insert into picture_like ${others} select ${me}, id, id, 'LIKE', id from n`,
      `insert into profile_note ${others} select ${me}, id, 'A note', '["tall"]', id from n`,
      `insert into notification (profile_id, kind, about_id, body_text, brand, ts_created) ${others} select ${me}, 'like', id, 'x', 'ember', 1 from n`,
      `insert into album_grant ${others} select ${me}, id, 'granted', null, 1 from n`,
      `insert into album_grant ${others} select id, ${me}, 'granted', null, 1 from n`,
      `insert into message (sender_id, recipient_id, low_id, high_id, client_id, body_text, brand, ts_created)
        ${others} select id, ${me}, ${me}, id, 'to-me', 'Hello', 'ember', 1 from n`,
      `insert into conversation (profile_id, other_id, last_message_id, unread) select recipient_id, sender_id, id, 1 from message where client_id = 'to-me'`,
      `insert into conversation (profile_id, other_id, last_message_id, unread) select sender_id, recipient_id, id, 0 from message where client_id = 'to-me'`,
      `insert into block with recursive n(id) as (select ${FIRST + 200} union all select id + 1 from n where id < ${FIRST + 199 + FULL})
        select ${me}, id, 1, 0, 1 from n`,
      // A full album, its pictures rated by me.
      `insert into picture (id, profile_id, audience, width, height, bytes, ts_created, ts_updated)
        with recursive n(id) as (select 2 union all select id + 1 from n where id < ${PICTURES_PER_PROFILE_MAX})
        select ${ALBUM_FIRST} + id, ${friend}, 'public', 800, 1000, 1, 1, 1 from n`,
      `update profile set pics_public = (select json_group_array(id) from picture where profile_id = ${friend}) where id = ${friend}`,
      `insert into picture_like select ${me}, id, ${friend}, 'LIKE', 1 from picture where profile_id = ${friend}`,
      // A history of some pages with the friend.
      `insert into message (sender_id, recipient_id, low_id, high_id, client_id, body_text, brand, ts_created)
        ${others} select ${friend}, ${me}, ${pair(friend)}, 'history' || id, 'Hello', 'ember', 1 from n`,
      `insert into conversation (profile_id, other_id, last_message_id, unread)
        select recipient_id, sender_id, max(id), 0 from message where sender_id = ${friend} and recipient_id = ${me}`,
      `insert into conversation (profile_id, other_id, last_message_id, unread)
        select sender_id, recipient_id, max(id), 0 from message where sender_id = ${friend} and recipient_id = ${me}`,
    ]);
  }
  await run([
    // A quarter of all pictures and texts, and half of all pictures, are judged by him.
    ...judge(me, "id % 4 = 1"),
    `insert or ignore into picture_like select ${me}, id, profile_id, 'LIKE', id from picture where id % 2 = 0 and profile_id <> ${me}
      and profile_id not in (select other_id from block where profile_id = ${me})`,
    // Five new messages of the writer, each time.
    `insert into message (sender_id, recipient_id, low_id, high_id, client_id, body_text, brand, ts_created)
      with recursive n(id) as (select 1 union all select id + 1 from n where id < 5)
      select ${writer}, ${me}, ${pair(writer)}, 'writer' || id || '${String(again)}', 'Hello', 'ember', 1 from n`,
    ...[
      ["recipient_id", "sender_id", 5],
      ["sender_id", "recipient_id", 0],
    ].map(
      ([mine, his, unread]) => `insert into conversation (profile_id, other_id, last_message_id, unread)
        select ${mine}, ${his}, max(id), ${unread} from message where sender_id = ${writer} and recipient_id = ${me}
        on conflict do update set last_message_id = excluded.last_message_id, unread = excluded.unread`,
    ),
  ]);
  const { results } = await d1
    .prepare("select max(id) as id from message where sender_id = ?")
    .bind(writer)
    .all<{ id: number }>();
  let next = FIRST + (again ? 60 : 30);
  return { friend, writer, lastFrom: results[0]?.id ?? 0, stranger: () => next++ };
}

/** Votes of a member on pictures and texts of the crowd, as the vote games keep them. */
function judge(me: number, which: string): string[] {
  const others = `profile_id <> ${me} and ${which}`;
  return [
    `insert or ignore into game_item (game, picture_id, subject_id, version, ts_created)
      select 'rating', id, profile_id, version, 1 from picture where ${others}`,
    `insert or ignore into game_item (game, subject_id, version, ts_created)
      select 'buster', profile_id, ${TEXT_VERSION}, 1 from picture where ${others}`,
    `insert or ignore into game_vote select id, ${me}, iif(game = 'rating', 'safe', 'person'), 1, 1 from game_item
      where subject_id in (select profile_id from picture where ${others})`,
  ];
}

/** Leaves nothing to draw for this member. */
export async function judgeEverything(d1: D1Database, me: number): Promise<void> {
  const statements = [
    ...judge(me, "true"),
    `insert or ignore into picture_like select ${me}, id, profile_id, 'LIKE', id from picture where profile_id <> ${me}`,
  ];
  await d1.batch(statements.map((statement) => d1.prepare(statement)));
}
