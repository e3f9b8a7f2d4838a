import {
  EXPOSURE_MESSAGES_EACH_MIN,
  EXPOSURE_MESSAGES_READ_MAX,
  MET_CONVERSATION_MIN_MS,
  MET_MESSAGES_EACH_MIN,
} from "@lambda/contract/limits";
import { type RawBuilder, sql } from "kysely";
import { type Database, rowsOf } from "../../platform/db/database.ts";
import { firstIdAt, heldIn, type MessageDatabases, openMessageDatabases } from "../../platform/db/message-databases.ts";
import type { Env } from "../../platform/env.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import { firstPictureOf } from "../../visibility/visibility.ts";

/** Whether both members sent each other at least EXPOSURE_MESSAGES_EACH_MIN messages since a time: more than a message and a rejection. */
function wroteToEachOther(one: RawBuilder<unknown>, other: RawBuilder<unknown>, since: number) {
  const enough = sql.lit(EXPOSURE_MESSAGES_EACH_MIN);
  return sql<boolean>`(select sum(m.sender_id = ${one}) >= ${enough} and sum(m.sender_id = ${other}) >= ${enough} from (
    select sender_id, ts_created from message where low_id = min(${one}, ${other}) and high_id = max(${one}, ${other})
    order by id desc limit ${sql.lit(EXPOSURE_MESSAGES_READ_MAX)}) m where m.ts_created >= ${since})`;
}

/**
 * Whether the two got to know each other, as the first of them sees it: by the first and the last messages, without those that were
 * unsent and those of the other that a filter withheld.
 */
function gotToKnow(me: number, other: number): RawBuilder<boolean> {
  const enough = sql.lit(MET_MESSAGES_EACH_MIN);
  const end = (order: "asc" | "desc") => sql`(select id, sender_id, ts_created from message
    where low_id = ${Math.min(me, other)} and high_id = ${Math.max(me, other)}
      and ts_unsent is null and (filtered = 0 or sender_id = ${me})
    order by id ${sql.raw(order)} limit ${sql.lit(EXPOSURE_MESSAGES_READ_MAX)})`;
  return sql<boolean>`(select ifnull(sum(m.sender_id = ${me}) >= ${enough} and sum(m.sender_id = ${other}) >= ${enough}
    and max(m.ts_created) - min(m.ts_created) >= ${sql.lit(MET_CONVERSATION_MIN_MS)}, 0)
    from (select * from ${end("asc")} union select * from ${end("desc")}) m)`;
}

/** Whether the viewer and the other got to know each other. `database` holds their messages, as `pairDatabase` tells. */
export async function knowEachOther(ctx: MemberContext, otherId: number, database: number | null): Promise<boolean> {
  if (database === null) return false;
  const { known } = await ctx.messageDatabases
    .open(database)
    .db.selectNoFrom(gotToKnow(ctx.viewer.profileId, otherId).as("known"))
    .executeTakeFirstOrThrow();
  return Boolean(known);
}

/** Latest conversations outside the main database that one list reads. */
const CONVERSATIONS_READ_MAX = 500;

export interface Contact {
  readonly id: number;
  readonly profile_name: string;
  readonly picture_id: number | null;
}

interface Wanted {
  readonly since: number;
  readonly limit: number;
  /** A condition on `conversation c` and the other's `profile p`. */
  readonly where: RawBuilder<boolean>;
  /** Only conversations whose last message is as recent. */
  readonly lastSince?: boolean;
}

/** Members with whom the viewer wrote enough, in both directions, since a time (ms), from all databases; the latest first. */
export async function listContacts(ctx: MemberContext, { since, limit, where, lastSince }: Wanted): Promise<Contact[]> {
  const { db, viewer, messageDatabases } = ctx;
  const last = sql.ref<number>("c.last_message_id");
  const contact = ["p.id", "p.profile_name", firstPictureOf("p").as("picture_id")] as const;
  let rows = db
    .selectFrom("conversation as c")
    .innerJoin("profile as p", "p.id", "c.other_id")
    .select([...contact, "c.last_message_id"])
    .where("c.profile_id", "=", viewer.profileId)
    .where(where)
    .where(wroteToEachOther(sql.ref("c.profile_id"), sql.ref("c.other_id"), since))
    .orderBy("c.last_message_id", "desc")
    .limit(limit);
  if (lastSince) rows = rows.where(isWrittenSince(last, since));
  if (messageDatabases.numbers.length === 0) return rows.execute();
  let candidates = conversationsElsewhere(db, viewer.profileId)
    .innerJoin("profile as p", "p.id", "c.other_id")
    .select(contact)
    .where(where);
  if (lastSince) candidates = candidates.where(last, ">=", firstIdAt(since));
  const [own, others] = await Promise.all([rows.execute(), candidates.execute()]);
  const all = [...own, ...(await listMutualPairs(messageDatabases, others, since))];
  return all.sort((one, other) => other.last_message_id - one.last_message_id).slice(0, limit);
}

/** Whether a member wrote enough, in both directions, with this many others since a time (ms), of those for whom `where` holds of `conversation c`. */
export async function hasContacts(env: Env, member: number, { since, limit, where }: Wanted): Promise<boolean> {
  const messageDatabases = openMessageDatabases(env);
  const { db } = messageDatabases.open(0);
  const inMain = await conversationsOfBoth(db, member)
    .where(heldIn, "=", 0)
    .where(where)
    .where(wroteToEachOther(sql.ref("c.profile_id"), sql.ref("c.other_id"), since))
    .limit(limit)
    .execute();
  if (inMain.length >= limit || messageDatabases.numbers.length === 0) return inMain.length >= limit;
  const others = await conversationsElsewhere(db, member).where(where).execute();
  return inMain.length + (await listMutualPairs(messageDatabases, others, since)).length >= limit;
}

/** A member's conversations outside the main database in which both members wrote enough at some time, latest first. */
const conversationsElsewhere = (db: Database, profileId: number) =>
  conversationsOfBoth(db, profileId).where(heldIn, ">", 0).limit(CONVERSATIONS_READ_MAX);

function conversationsOfBoth(db: Database, profileId: number) {
  return db
    .selectFrom("conversation as c")
    .innerJoin("message_pair as t", (join) =>
      join
        .on("t.low_id", "=", sql<number>`min(c.profile_id, c.other_id)`)
        .on("t.high_id", "=", sql<number>`max(c.profile_id, c.other_id)`),
    )
    .select(["c.profile_id", "c.other_id", "c.last_message_id", heldIn.as("database")])
    .where("c.profile_id", "=", profileId)
    .where("t.low_count", ">=", EXPOSURE_MESSAGES_EACH_MIN)
    .where("t.high_count", ">=", EXPOSURE_MESSAGES_EACH_MIN)
    .orderBy("c.last_message_id", "desc");
}

interface MemberPair {
  readonly profile_id: number;
  readonly other_id: number;
  readonly database: number;
}

/** The pairs, from any database, in which both members wrote to each other since a time. */
async function listMutualPairs<Pair extends MemberPair>(
  messageDatabases: MessageDatabases,
  pairs: readonly Pair[],
  since: number,
): Promise<Pair[]> {
  const lists = [...new Set(pairs.map(({ database }) => database))].map(async (database) => {
    const inOther = pairs.filter((pair) => pair.database === database);
    const rows = await messageDatabases
      .open(database)
      .db.selectFrom(rowsOf<MemberPair, "profile_id" | "other_id", "pair">(inOther, ["profile_id", "other_id"], "pair"))
      .select("pair.other_id")
      .where(wroteToEachOther(sql.ref("pair.profile_id"), sql.ref("pair.other_id"), since))
      .execute();
    const mutual = new Set(rows.map(({ other_id }) => other_id));
    return inOther.filter(({ other_id }) => mutual.has(other_id));
  });
  return (await Promise.all(lists)).flat();
}

function isWrittenSince(messageId: RawBuilder<unknown>, since: number): RawBuilder<boolean> {
  return sql<boolean>`exists (select 1 from message last where last.id = ${messageId} and last.ts_created >= ${since})`;
}
