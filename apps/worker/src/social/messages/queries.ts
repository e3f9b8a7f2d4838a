import { type CompiledQuery, type RawBuilder, sql } from "kysely";
import { notBlockedBy, type Onlooker, visibleTo } from "../../members/visibility/visibility.ts";
import { indexedBy } from "../../platform/db/d1.ts";
import type { Database } from "../../platform/db/database.ts";
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
export async function findOtherSide(db: Database, profileId: number, messageId: number): Promise<number | undefined> {
  const row = await db
    .selectFrom("message")
    .select(["sender_id", "recipient_id"])
    .where("id", "=", messageId)
    .executeTakeFirst();
  if (!row || row.recipient_id === null) return undefined;
  if (row.sender_id === profileId) return row.recipient_id;
  return row.recipient_id === profileId ? row.sender_id : undefined;
}

/** The other side as the reader may know it; no row when the other is absent or the reader blocked them. */
export function partnerQuery(ctx: MemberContext, otherId: number): CompiledQuery<PartnerRow> {
  const me = ctx.viewer.profileId;
  return ctx.db
    .selectFrom("profile as p")
    .select(["p.id as other_id", visibleNow(ctx), "p.profile_name", "p.ts_seen", FIRST_PICTURE])
    .where("p.id", "=", otherId)
    .where("p.id", "<>", me)
    .where(notBlockedBy(me, sql.ref("p.id")))
    .compile();
}

/** Whether the viewer sees `profile p`, as a column. */
const visibleNow = (onlooker: Onlooker) => sql<0 | 1>`${visibleTo(onlooker)}`.as("visible");

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

/** The latest message of each pair, newest first. Members whom the reader blocked are left out; who blocked the reader looks hidden. */
export function listConversations(
  ctx: MemberContext,
  { since, before, size }: Slice,
): Promise<(MessageColumns & PartnerRow & { readonly unread: number })[]> {
  const me = ctx.viewer.profileId;
  let query = ctx.db
    .selectFrom("conversation as c")
    .crossJoin("message as m")
    .crossJoin("profile as p")
    .select(MESSAGE)
    .select(["c.other_id", "c.unread", visibleNow(ctx), "p.profile_name", "p.ts_seen", FIRST_PICTURE])
    .whereRef("m.id", "=", "c.last_message_id")
    .whereRef("p.id", "=", "c.other_id")
    .where("c.profile_id", "=", me)
    .where(notBlockedBy(me, sql.ref("c.other_id")));
  if (since !== undefined) query = query.where("c.last_message_id", ">", since);
  if (before !== undefined) query = query.where("c.last_message_id", "<", before);
  return query.orderBy("c.last_message_id", "desc").limit(size).execute();
}

/** Everything new to this member since an id, over all conversations, oldest first: what a device missed while away. */
export function listMissed(
  ctx: MemberContext,
  since: number,
  size: number,
): Promise<(MessageColumns & Pick<PartnerRow, "other_id" | "visible">)[]> {
  const me = ctx.viewer.profileId;
  return ctx.db
    .selectFrom("conversation as c")
    .crossJoin("profile as p")
    .crossJoin(indexedBy("message", "m", "message_pair"))
    .select(MESSAGE)
    .select(["c.other_id", visibleNow(ctx)])
    .whereRef("p.id", "=", "c.other_id")
    .where("m.low_id", "=", sql<number>`min(c.profile_id, c.other_id)`)
    .where("m.high_id", "=", sql<number>`max(c.profile_id, c.other_id)`)
    .where("m.id", ">", since)
    .where("c.profile_id", "=", me)
    .where("c.last_message_id", ">", since)
    .where(notBlockedBy(me, sql.ref("c.other_id")))
    .where(keptFor(me))
    .orderBy("m.id")
    .limit(size)
    .execute();
}

/** A message that this member wrote, or got from a member whom they did not block. */
export function findOwnMessage(db: Database, profileId: number, id: number): Promise<MessageColumns | undefined> {
  return db
    .selectFrom("message as m")
    .select(MESSAGE)
    .where("m.id", "=", id)
    .where(
      sql<boolean>`(m.sender_id = ${profileId} or m.recipient_id = ${profileId} and ${notBlockedBy(profileId, sql.ref("m.sender_id"))})`,
    )
    .executeTakeFirst();
}
