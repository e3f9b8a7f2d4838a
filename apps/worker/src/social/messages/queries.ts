import { type RawBuilder, sql } from "kysely";
import { notBlockedBy, visibleTo } from "../../members/visibility/visibility.ts";
import type { Database } from "../../platform/db/database.ts";
import type { MessageRow } from "../../platform/db/tables.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import { type PartnerRow, pairOf, type SenderColumns } from "./mappers.ts";

/** The columns of `message m` that mappers read. */
export const MESSAGE = sql.raw(
  "m.id, m.sender_id, m.recipient_id, m.low_id, m.high_id, m.client_id, m.body_text, m.picture_ids, m.attachment, m.brand, " +
    "m.sector, m.flagged, m.ts_created, m.ts_delivered, m.ts_recipient_read, m.ts_recipient_deleted, m.ts_sender_deleted, m.ts_unsent",
);

const FIRST_PICTURE = sql.raw("json_extract(p.pics_public, '$[0]')");

/** Still there for this side: not taken back, not deleted by him. */
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

/** The other side as the reader may know him; no row when he is absent or the reader blocked him. */
export function partnerQuery(ctx: MemberContext, otherId: number) {
  return sql<PartnerRow>`
    select p.id as other_id, ${visibleTo(ctx)} as visible, p.profile_name, p.ts_seen, ${FIRST_PICTURE} as pic
    from profile p
    where p.id = ${otherId} and p.id <> ${ctx.viewer.profileId} and ${notBlockedBy(ctx.viewer.profileId, sql.ref("p.id"))}`.compile(
    ctx.db,
  );
}

/** Messages between the reader and another member, as the reader still has them. */
export function messagesBetweenQuery(db: Database, readerId: number, otherId: number, { since, before, size }: Slice) {
  const { low, high } = pairOf(readerId, otherId);
  return sql<MessageRow>`
    select ${MESSAGE} from message m indexed by message_pair
    where m.low_id = ${low} and m.high_id = ${high}
      ${since !== undefined ? sql`and m.id > ${since}` : before !== undefined ? sql`and m.id < ${before}` : sql``}
      and ${keptFor(readerId)}
    order by m.id ${sql.raw(since !== undefined ? "asc" : "desc")} limit ${size}`.compile(db);
}

export type ConversationRow = MessageRow & PartnerRow & { readonly unread: number };

/** The latest message of each pair, newest first. Whom the reader blocked is not there; who blocked him is like one who hides. */
export function listConversations(ctx: MemberContext, { since, before, size }: Slice) {
  const me = ctx.viewer.profileId;
  return sql<ConversationRow>`
    select ${MESSAGE}, c.other_id, c.unread, ${visibleTo(ctx)} as visible, p.profile_name, p.ts_seen, ${FIRST_PICTURE} as pic
    from conversation c
    cross join message m on m.id = c.last_message_id
    cross join profile p on p.id = c.other_id
    where c.profile_id = ${me} and ${notBlockedBy(me, sql.ref("c.other_id"))}
      ${since !== undefined ? sql`and c.last_message_id > ${since}` : sql``}
      ${before !== undefined ? sql`and c.last_message_id < ${before}` : sql``}
    order by c.last_message_id desc limit ${size}`.execute(ctx.db);
}

/** Everything new to this member since an id, over all conversations, oldest first: what a device missed while away. */
export function listMissed(ctx: MemberContext, since: number, size: number) {
  const me = ctx.viewer.profileId;
  return sql<MessageRow & { other_id: number; visible: 0 | 1 }>`
    select ${MESSAGE}, c.other_id, ${visibleTo(ctx)} as visible
    from conversation c
    cross join profile p on p.id = c.other_id
    cross join message m indexed by message_pair
      on m.low_id = min(c.profile_id, c.other_id) and m.high_id = max(c.profile_id, c.other_id) and m.id > ${since}
    where c.profile_id = ${me} and c.last_message_id > ${since} and ${notBlockedBy(me, sql.ref("c.other_id"))}
      and ${keptFor(me)}
    order by m.id limit ${size}`.execute(ctx.db);
}

export type BroadcastRow = MessageRow & SenderColumns;

/**
 * Messages from the sectors that a member hears, of members whom he may see (or himself). One stretch of an index for each sector,
 * merged as far as the page needs: the order is the inner one, which the lookup of each sender keeps.
 */
export function listSectors(ctx: MemberContext, sectors: readonly number[], { since, before, size }: Slice) {
  const me = ctx.viewer.profileId;
  const order = sql.raw(since !== undefined ? "asc" : "desc");
  const heard = sectors.map(
    (sector) => sql`select ${MESSAGE} from message m indexed by message_sector
      where m.brand = ${ctx.brand.id} and m.sector = ${sector} and m.ts_unsent is null
      ${since !== undefined ? sql`and m.id > ${since}` : sql``} ${before !== undefined ? sql`and m.id < ${before}` : sql``}`,
  );
  return sql<BroadcastRow>`
    select m.*, p.profile_name, ${FIRST_PICTURE} as pic
    from (${unionAll(heard)} order by 1 ${order} limit ${sql.lit(Number.MAX_SAFE_INTEGER)}) m
    cross join profile p on p.id = m.sender_id
    where m.sender_id = ${me} or ${visibleTo(ctx)}
    limit ${size}`.execute(ctx.db);
}

/** D1 takes five selects in one union; unions of unions are merged all the same. */
const UNION_MOST = 5;

function unionAll(selects: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
  if (selects.length <= UNION_MOST) return sql.join(selects, sql` union all `);
  const parts = Array.from({ length: Math.ceil(selects.length / UNION_MOST) }, (_, index) =>
    selects.slice(index * UNION_MOST, (index + 1) * UNION_MOST),
  );
  return sql.join(
    parts.map((part) => sql`select * from (${unionAll(part)})`),
    sql` union all `,
  );
}

/** A message that this member wrote, or got from somebody whom he did not block. */
export function findOwnMessage(db: Database, profileId: number, id: number): Promise<MessageRow | undefined> {
  return db
    .selectFrom("message as m")
    .selectAll()
    .where("m.id", "=", id)
    .where(
      sql<boolean>`(m.sender_id = ${profileId} or m.recipient_id = ${profileId} and ${notBlockedBy(profileId, sql.ref("m.sender_id"))})`,
    )
    .executeTakeFirst();
}
