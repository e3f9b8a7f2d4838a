import { type CompiledQuery, type RawBuilder, sql } from "kysely";
import { notBlockedBy, type Onlooker, visibleTo } from "../../members/visibility/visibility.ts";
import { indexedBy, itemsOf, valuesOf } from "../../platform/db/d1.ts";
import type { Database } from "../../platform/db/database.ts";
import { byShard, openFor, type Shards } from "../../platform/db/shards.ts";
import type { TalkRow } from "../../platform/db/tables.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import { type MessageColumns, type PartnerRow, pairOf } from "./mappers.ts";

/** The columns of `message m` that mappers read. */
export const MESSAGE = [
  "m.id",
  "m.sender_id",
  "m.recipient_id",
  "m.low_id",
  "m.high_id",
  "m.client_id",
  "m.body_text",
  "m.picture_ids",
  "m.attachment",
  "m.brand",
  "m.sector",
  "m.flagged",
  "m.filtered",
  "m.ts_created",
  "m.ts_delivered",
  "m.ts_recipient_read",
  "m.ts_recipient_deleted",
  "m.ts_sender_deleted",
  "m.ts_unsent",
] as const;

/** The first public picture of `profile p`. */
const FIRST_PICTURE = sql<number | null>`json_extract(p.pics_public, '$[0]')`.as("pic");

/** Still there for this side: neither taken back nor deleted by it. */
export function keptFor(profileId: number): RawBuilder<boolean> {
  return sql<boolean>`(m.ts_unsent is null
    and case when m.sender_id = ${profileId} then m.ts_sender_deleted else m.ts_recipient_deleted end is null)`;
}

/** Where to go on: after an id (oldest first) or before one (newest first). */
export interface Slice {
  readonly since?: number | undefined;
  readonly before?: number | undefined;
  readonly size: number;
}

/** The other side of a message that this member sent or got. */
export async function findOtherSide(shards: Shards, profileId: number, messageId: number): Promise<number | undefined> {
  const row = await openFor(shards, messageId)
    .db.selectFrom("message")
    .select(["sender_id", "recipient_id"])
    .where("id", "=", messageId)
    .executeTakeFirst();
  if (!row || row.recipient_id === null) return undefined;
  if (row.sender_id === profileId) return row.recipient_id;
  return row.recipient_id === profileId ? row.sender_id : undefined;
}

/** The other side as the reader may know it; no row when the other is absent or the reader blocked them. */
export function partnerQuery(ctx: MemberContext, otherId: number): CompiledQuery<PartnerRow> {
  return partnersOf(ctx, [otherId]).compile();
}

/** The same for several, at most `PARTNERS_AT_ONCE`. */
export function partnersOf(ctx: MemberContext, otherIds: readonly number[]) {
  const me = ctx.viewer.profileId;
  return ctx.db
    .selectFrom(valuesOf(otherIds, "o"))
    .crossJoin("profile as p")
    .select(["p.id as other_id", visibleNow(ctx), "p.profile_name", "p.ts_seen", FIRST_PICTURE])
    .whereRef("p.id", "=", "o.column1")
    .where("p.id", "<>", me)
    .where(notBlockedBy(me, sql.ref("p.id")));
}

/** D1 binds 100 values a statement, some of which are not ids. */
export const PARTNERS_AT_ONCE = 80;

/** Whether the viewer sees `profile p`, as a column. */
export const visibleNow = (onlooker: Onlooker) => sql<0 | 1>`${visibleTo(onlooker)}`.as("visible");

/** Messages between the reader and another member, as the reader still has them. */
export function messagesBetweenQuery(
  db: Database,
  readerId: number,
  otherId: number,
  { since, before, size }: Slice,
): CompiledQuery<MessageColumns> {
  const { low, high } = pairOf(readerId, otherId);
  let query = db
    .selectFrom(indexedBy("message", "m", "message_pair"))
    .select(MESSAGE)
    .where("m.low_id", "=", low)
    .where("m.high_id", "=", high)
    .where(keptFor(readerId));
  if (since !== undefined) query = query.where("m.id", ">", since);
  else if (before !== undefined) query = query.where("m.id", "<", before);
  return query
    .orderBy("m.id", since !== undefined ? "asc" : "desc")
    .limit(size)
    .compile();
}

type Unjoined = { readonly [Column in keyof MessageColumns]: MessageColumns[Column] | null };
type Listed = PartnerRow & { readonly unread: number; readonly last_message_id: number };

/** The latest message of each pair, newest first. Members whom the reader blocked are left out; who blocked the reader looks hidden. */
export async function listConversations(
  ctx: MemberContext,
  { since, before, size }: Slice,
): Promise<(Listed & { readonly message: MessageColumns | undefined })[]> {
  const me = ctx.viewer.profileId;
  let query = ctx.db
    .selectFrom("conversation as c")
    .leftJoin("message as m", "m.id", "c.last_message_id")
    .innerJoin("profile as p", "p.id", "c.other_id")
    .select(MESSAGE)
    .select(["c.last_message_id", "c.other_id", "c.unread"])
    .select([visibleNow(ctx), "p.profile_name", "p.ts_seen", FIRST_PICTURE])
    .where("c.profile_id", "=", me)
    .where(notBlockedBy(me, sql.ref("c.other_id")));
  if (since !== undefined) query = query.where("c.last_message_id", ">", since);
  if (before !== undefined) query = query.where("c.last_message_id", "<", before);
  const rows = await query.orderBy("c.last_message_id", "desc").limit(size).execute();
  const elsewhere = rows.filter(({ id }) => id === null).map((row) => row.last_message_id);
  const messages = await getMessages(ctx, elsewhere);
  return rows.map((row) => {
    const { other_id, unread, visible, profile_name, ts_seen, pic, last_message_id, ...joined } = row;
    const message = isJoined(joined) ? joined : messages.get(last_message_id);
    return { other_id, unread, visible, profile_name, ts_seen, pic, last_message_id, message };
  });
}

const isJoined = (row: Unjoined): row is MessageColumns => row.id !== null;

/** Messages by id, of all databases side by side; what a copy near the member does not have yet is asked of its primary. */
async function getMessages(ctx: MemberContext, ids: readonly number[]): Promise<Map<number, MessageColumns>> {
  const found = await findMessages(ctx.shards, ids);
  const missing = ids.filter((id) => !found.has(id));
  const older = [...byShard(ctx.shards, missing)].filter(([shard]) => ctx.database.leaveReplicaOf(shard));
  if (older.length === 0) return found;
  return new Map([
    ...found,
    ...(await findMessages(
      ctx.shards,
      older.flatMap(([, some]) => some),
    )),
  ]);
}

async function findMessages(shards: Shards, ids: readonly number[]): Promise<Map<number, MessageColumns>> {
  const found = [...byShard(shards, ids)].map(([shard, some]) =>
    shards
      .open(shard)
      .db.selectFrom("message as m")
      .select(MESSAGE)
      .where("m.id", "in", (named) => named.selectFrom(itemsOf(some, "named")).select("named.value"))
      .execute(),
  );
  return new Map((await Promise.all(found)).flat().map((row) => [row.id, row]));
}

/** The pair's place, for a batch with what decides about it, and how new the main database's copy of it is. */
export function shardQuery(
  db: Database,
  one: number,
  other: number,
): CompiledQuery<Pick<TalkRow, "shard" | "version">> {
  const { low, high } = pairOf(one, other);
  return db
    .selectFrom("talk")
    .select(["shard", "version"])
    .where("low_id", "=", low)
    .where("high_id", "=", high)
    .compile();
}

/** How new a pair is in its message database, and how new the main one's copy is as far as that database was told. */
export function versionQuery(
  db: Database,
  one: number,
  other: number,
): CompiledQuery<Pick<TalkRow, "version" | "told">> {
  const { low, high } = pairOf(one, other);
  return db
    .selectFrom("talk")
    .select(["version", "told"])
    .where("low_id", "=", low)
    .where("high_id", "=", high)
    .compile();
}

/** The shards beside the main database that this member has messages in. */
export async function listShardsOf(db: Database, numbers: readonly number[], profileId: number): Promise<number[]> {
  if (numbers.length === 0) return [];
  const rows = await shardsOfQuery(db, numbers, profileId);
  return rows.map(({ shard }) => shard);
}

function shardsOfQuery(db: Database, numbers: readonly number[], profileId: number): Promise<{ shard: number }[]> {
  return db
    .selectFrom(valuesOf(numbers, "n"))
    .select("n.column1 as shard")
    .where(({ or, exists, selectFrom }) =>
      or([
        exists(
          selectFrom("talk as t")
            .select("t.shard")
            .where("t.low_id", "=", profileId)
            .whereRef("t.shard", "=", "n.column1")
            .where("t.shard", ">", 0),
        ),
        exists(
          selectFrom("talk as t")
            .select("t.shard")
            .where("t.high_id", "=", profileId)
            .whereRef("t.shard", "=", "n.column1")
            .where("t.shard", ">", 0),
        ),
      ]),
    )
    .execute();
}

/** A message that this member wrote, or got from a member whom they did not block. */
export async function findOwnMessage(ctx: MemberContext, id: number): Promise<MessageColumns | undefined> {
  const me = ctx.viewer.profileId;
  const { db, shard } = openFor(ctx.shards, id);
  const notBlocked = shard === 0 ? notBlockedBy(me, sql.ref("m.sender_id")) : sql<boolean>`true`;
  const row = await db
    .selectFrom("message as m")
    .select(MESSAGE)
    .where("m.id", "=", id)
    .where(sql<boolean>`(m.sender_id = ${me} or m.recipient_id = ${me} and ${notBlocked})`)
    .executeTakeFirst();
  if (!row || shard === 0 || row.sender_id === me) return row;
  const known = await ctx.db
    .selectNoFrom(sql<0 | 1>`${notBlockedBy(me, row.sender_id)}`.as("isOpen"))
    .executeTakeFirstOrThrow();
  return known.isOpen === 1 ? row : undefined;
}
