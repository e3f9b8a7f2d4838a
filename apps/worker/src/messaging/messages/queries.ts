import { type RawBuilder, sql } from "kysely";
import { type Database, indexedBy, itemsOf, valuesOf } from "../../platform/db/database.ts";
import { groupByDatabase, heldIn, type MessageDatabases, openDatabaseOf } from "../../platform/db/message-databases.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import { firstPictureOf, notBlockedBy, type ViewerContext, visibleTo } from "../../visibility/visibility.ts";
import { isOfPair, type MessageColumns, pairOf } from "./mappers.ts";

/** The columns of `message m` that mappers read. */
export const MESSAGE_COLUMNS = [
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
  "m.reply_to",
  "m.reaction",
  "m.filtered",
  "m.ts_created",
  "m.ts_delivered",
  "m.ts_recipient_read",
  "m.ts_recipient_deleted",
  "m.ts_sender_deleted",
  "m.ts_unsent",
] as const;

/** Whether `message m` is still in this member's history: neither unsent nor deleted by them. */
export function isInHistoryOf(profileId: number): RawBuilder<boolean> {
  return sql<boolean>`(m.ts_unsent is null
    and case when m.sender_id = ${profileId} then m.ts_sender_deleted else m.ts_recipient_deleted end is null)`;
}

/** A page of messages: after an id (oldest first) or before one (newest first). */
export interface Slice {
  readonly since?: number | undefined;
  readonly before?: number | undefined;
  readonly size: number;
}

/** The other member of a message that this member sent or received. */
export async function findOtherId(
  messageDatabases: MessageDatabases,
  profileId: number,
  messageId: number,
): Promise<number | undefined> {
  const row = await openDatabaseOf(messageDatabases, messageId)
    .db.selectFrom("message")
    .select(["sender_id", "recipient_id"])
    .where("id", "=", messageId)
    .executeTakeFirst();
  if (!row || row.recipient_id === null) return undefined;
  if (row.sender_id === profileId) return row.recipient_id;
  return row.recipient_id === profileId ? row.sender_id : undefined;
}

/** The same for several members, at most `PARTNERS_PER_QUERY_MAX`. */
export function selectPartners(ctx: MemberContext, otherIds: readonly number[]) {
  const me = ctx.viewer.profileId;
  return ctx.db
    .selectFrom(valuesOf(otherIds, "o"))
    .crossJoin("profile as p")
    .select(["p.id as other_id", visibleColumn(ctx), "p.profile_name", "p.ts_seen", firstPictureOf("p").as("pic")])
    .whereRef("p.id", "=", "o.column1")
    .where("p.id", "<>", me)
    .where(notBlockedBy(me, sql.ref("p.id")));
}

/** D1 binds at most 100 values per statement, and this query binds a few others. */
export const PARTNERS_PER_QUERY_MAX = 80;

/** Whether the viewer sees `profile p`, as a column. */
export const visibleColumn = (ctx: ViewerContext) => sql<0 | 1>`${visibleTo(ctx)}`.as("visible");

/** The messages between two members that are still in the reader's history. */
export function messagesBetweenQuery(db: Database, readerId: number, otherId: number, { since, before, size }: Slice) {
  let query = db
    .selectFrom(indexedBy("message", "m", "message_by_pair"))
    .select(MESSAGE_COLUMNS)
    .where(isOfPair(pairOf(readerId, otherId), "m"))
    .where(isInHistoryOf(readerId));
  if (since !== undefined) query = query.where("m.id", ">", since);
  else if (before !== undefined) query = query.where("m.id", "<", before);
  return query.orderBy("m.id", since !== undefined ? "asc" : "desc").limit(size);
}

type NullableMessage = { readonly [Column in keyof MessageColumns]: MessageColumns[Column] | null };

/** The latest message of each conversation, newest first. Leaves out members whom the viewer blocked; those who blocked the viewer look hidden. */
export async function listConversations(ctx: MemberContext, { since, before, size }: Slice) {
  const me = ctx.viewer.profileId;
  let query = ctx.db
    .selectFrom("conversation as c")
    .leftJoin("message as m", "m.id", "c.last_message_id")
    .innerJoin("profile as p", "p.id", "c.other_id")
    .select(MESSAGE_COLUMNS)
    .select(["c.last_message_id", "c.other_id", "c.unread"])
    .select([visibleColumn(ctx), "p.profile_name", "p.ts_seen", firstPictureOf("p").as("pic")])
    .where("c.profile_id", "=", me)
    .where(notBlockedBy(me, sql.ref("c.other_id")));
  if (since !== undefined) query = query.where("c.last_message_id", ">", since);
  if (before !== undefined) query = query.where("c.last_message_id", "<", before);
  const rows = await query.orderBy("c.last_message_id", "desc").limit(size).execute();
  const idsElsewhere = rows.filter(({ id }) => id === null).map((row) => row.last_message_id);
  const messages = await listMessagesById(ctx, idsElsewhere);
  return rows.map((row) => {
    const { other_id, unread, visible, profile_name, ts_seen, pic, last_message_id, ...joined } = row;
    const message = isJoined(joined) ? joined : messages.get(last_message_id);
    return { other_id, unread, visible, profile_name, ts_seen, pic, last_message_id, message };
  });
}

const isJoined = (row: NullableMessage): row is MessageColumns => row.id !== null;

/** Messages by id, from all databases in parallel. What a nearby copy does not have yet is read from the primary. */
async function listMessagesById(ctx: MemberContext, ids: readonly number[]): Promise<Map<number, MessageColumns>> {
  const found = await listMessagesOnce(ctx.messageDatabases, ids);
  const missing = ids.filter((id) => !found.has(id));
  const stale = [...groupByDatabase(ctx.messageDatabases, missing)].filter(([database]) =>
    ctx.database.switchMessagesToPrimary(database),
  );
  if (stale.length === 0) return found;
  const staleIds = stale.flatMap(([, idsThere]) => idsThere);
  return new Map([...found, ...(await listMessagesOnce(ctx.messageDatabases, staleIds))]);
}

async function listMessagesOnce(
  messageDatabases: MessageDatabases,
  ids: readonly number[],
): Promise<Map<number, MessageColumns>> {
  const lists = [...groupByDatabase(messageDatabases, ids)].map(([database, idsThere]) =>
    messageDatabases
      .open(database)
      .db.selectFrom("message as m")
      .select(MESSAGE_COLUMNS)
      .where("m.id", "in", (named) => named.selectFrom(itemsOf(idsThere, "named")).select("named.value"))
      .execute(),
  );
  return new Map((await Promise.all(lists)).flat().map((row) => [row.id, row]));
}

/** The database of the pair's messages, and the version of the main database's copy. */
export function pairDatabaseQuery(db: Database, one: number, other: number) {
  return db
    .selectFrom("message_pair as t")
    .select([heldIn.as("database"), "t.version"])
    .where(isOfPair(pairOf(one, other), "t"));
}

/** The message databases, other than the main one, that hold messages of this member. */
export async function listDatabasesOf(db: Database, numbers: readonly number[], profileId: number): Promise<number[]> {
  if (numbers.length === 0) return [];
  const rows = await db
    .selectFrom(valuesOf(numbers, "n"))
    .select("n.column1 as database")
    .where(({ or, exists, selectFrom }) =>
      or(
        (["t.low_id", "t.high_id"] as const).map((side) =>
          exists(
            selectFrom("message_pair as t")
              .select(heldIn.as("database"))
              .where(side, "=", profileId)
              .where(heldIn, "=", sql.ref<number>("n.column1"))
              .where(heldIn, ">", 0),
          ),
        ),
      ),
    )
    .execute();
  return rows.map(({ database }) => database);
}

/** A message that the viewer wrote, or received from a member whom they did not block. */
export async function findOwnMessage(ctx: MemberContext, id: number): Promise<MessageColumns | undefined> {
  const me = ctx.viewer.profileId;
  const { db, number } = openDatabaseOf(ctx.messageDatabases, id);
  const notBlocked = number === 0 ? notBlockedBy(me, sql.ref("m.sender_id")) : sql<boolean>`true`;
  const row = await db
    .selectFrom("message as m")
    .select(MESSAGE_COLUMNS)
    .where("m.id", "=", id)
    .where(sql<boolean>`(m.sender_id = ${me} or m.recipient_id = ${me} and ${notBlocked})`)
    .executeTakeFirst();
  if (!row || number === 0 || row.sender_id === me) return row;
  const { isNotBlocked } = await ctx.db
    .selectNoFrom(sql<0 | 1>`${notBlockedBy(me, row.sender_id)}`.as("isNotBlocked"))
    .executeTakeFirstOrThrow();
  return isNotBlocked === 1 ? row : undefined;
}
