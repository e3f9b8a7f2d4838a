/** What the database knows of a member and a recipient whom they may see; `rules.ts` decides by it. */
import type { CurveKey } from "@lambda/geo/curve";
import { pointOfKey } from "@lambda/geo/curve";
import { type RawBuilder, sql } from "kysely";
import { listedOn, type Onlooker, visibleTo } from "../../members/visibility/visibility.ts";
import { indexedBy } from "../../platform/db/d1.ts";
import type { Database } from "../../platform/db/database.ts";
import type { Shards } from "../../platform/db/shards.ts";
import { shardBetween, unansweredBy } from "../contact/wrote-to.ts";
import { type Contact, firstContactOf, isFiltered, mayWrite } from "./rules.ts";
import { unwantedWordsOf } from "./unwanted-words.ts";

export interface ContactRow {
  readonly birthdate: string | null;
  /** Published positions of the sender and the recipient. */
  readonly key: CurveKey | null;
  readonly recipient_key: CurveKey | null;
  /** null: no recipient whom the sender may see. */
  readonly preferences: string | null;
  /** Messages so far, counted up to the cap; null once the recipient wrote too. */
  readonly unanswered: number | null;
  readonly matched: number | null;
  /** A message of the sender's was kept from the recipient, as far as the main database has their messages. */
  readonly held: number | null;
  /** Where the pair's messages are; null before their first one. */
  readonly shard: number | null;
}

/** The recipient as a table of one row, to be joined; none when the sender may not see them. */
export function recipientOf(db: Database, onlooker: Onlooker, recipientId: number, now: number) {
  const me = onlooker.viewer.profileId;
  const likes = (from: RawBuilder<unknown>, to: RawBuilder<unknown>) =>
    sql`exists (select 1 from profile_like l where l.liker_id = ${from} and l.liked_id = ${to} and l.like_type = 'LIKE')`;
  const viewer = sql.val(me);
  const recipient = sql.ref("p.id");
  return db
    .selectFrom("profile as p")
    .innerJoin("account as a", "a.id", "p.id")
    .leftJoin("position as t", (join) => join.onRef("t.profile_id", "=", "p.id").on("t.ts_effective_until", ">", now))
    .select(["a.preferences", "t.key as recipient_key"])
    .select(unansweredBy(me, recipientId).as("unanswered"))
    .select(sql<0 | 1>`${likes(recipient, viewer)} and ${likes(viewer, recipient)}`.as("matched"))
    .select(
      sql<0 | 1>`exists (select 1 from message m indexed by message_filtered
        where m.sender_id = ${viewer} and m.recipient_id = ${recipientId} and m.filtered = 1)`.as("held"),
    )
    .select(shardBetween(me, recipientId).as("shard"))
    .where("p.id", "=", recipientId)
    .where(visibleTo(onlooker));
}

/** The same for messages that are elsewhere. Only one who got no answer is held. */
export async function isHeld(
  shards: Shards,
  { shard, unanswered, held }: Pick<ContactRow, "shard" | "unanswered" | "held">,
  senderId: number,
  recipientId: number,
): Promise<boolean> {
  if (!shard || !unanswered) return held === 1;
  const row = await shards
    .open(shard)
    .db.selectFrom(indexedBy("message", "m", "message_filtered"))
    .select("m.id")
    .where("m.sender_id", "=", senderId)
    .where("m.recipient_id", "=", recipientId)
    .where("m.filtered", "=", sql.lit(1))
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Undefined: the sender may not see the recipient. */
export function toContact(row: ContactRow, held: boolean): Contact | undefined {
  if (row.preferences === null) return undefined;
  const pointOf = (key: CurveKey | null) => (key === null ? null : pointOfKey(key));
  return {
    unanswered: row.unanswered,
    wishes: firstContactOf(row.preferences),
    unwanted: unwantedWordsOf(row.preferences),
    held,
    from: { birthdate: row.birthdate, point: pointOf(row.key), matched: row.matched === 1 },
    point: pointOf(row.recipient_key),
  };
}

/** Whether a message would be taken: asked before a device says that a member is typing. */
export async function mayWriteTo(
  shards: Shards,
  onlooker: Onlooker,
  recipientId: number,
  now: number,
): Promise<boolean> {
  const { db } = shards.open(0);
  const me = onlooker.viewer.profileId;
  const row = await db
    .selectFrom("profile as p")
    .leftJoin("position as s", (join) => join.onRef("s.profile_id", "=", "p.id").on("s.ts_effective_until", ">", now))
    .leftJoin(recipientOf(db, onlooker, recipientId, now).as("r"), (join) => join.onTrue())
    .select([
      "p.birthdate",
      "s.key",
      "r.preferences",
      "r.recipient_key",
      "r.unanswered",
      "r.matched",
      "r.held",
      "r.shard",
    ])
    .where("p.id", "=", me)
    .where(listedOn(onlooker.brand))
    .executeTakeFirst();
  const contact = row && toContact(row, await isHeld(shards, row, me, recipientId));
  return contact !== undefined && mayWrite(contact, now) === "yes" && !isFiltered(contact, "");
}
