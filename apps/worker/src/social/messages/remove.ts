/** Taking a message back (both sides), or out of one's own history. */
import { BRANDS } from "@lambda/brands";
import { sql } from "kysely";
import { listedOn, notBlocked, seenBy } from "../../members/visibility/visibility.ts";
import { batch, type Compiled } from "../../platform/db/batch.ts";
import type { Database } from "../../platform/db/database.ts";
import type { MessageRow } from "../../platform/db/tables.ts";
import type { Env } from "../../platform/env.ts";
import { AppError } from "../../platform/errors.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import { tellArea, tellMember } from "./deliver.ts";
import { findOwnMessage, keptFor } from "./queries.ts";

/**
 * The sender takes it back: text, pictures and attachment are erased, and it is gone for both; from the history of a recipient who
 * does not see him it goes when he does. With `forMe`, and always for a recipient, it goes from this member's history alone.
 * NOT_FOUND for a message that is not his, and for one that he got from somebody whom he blocked.
 */
export async function removeMessage(ctx: MemberContext, id: number, forMe: boolean): Promise<void> {
  const me = ctx.viewer.profileId;
  const row = await findOwnMessage(ctx.db, me, id);
  if (!row || row.ts_unsent !== null) throw new AppError("NOT_FOUND");
  if (row.sender_id === me && (!forMe || row.recipient_id === null)) return unsend(ctx, row);
  const column = row.sender_id === me ? "ts_sender_deleted" : "ts_recipient_deleted";
  const otherId = row.sender_id === me ? row.recipient_id! : row.sender_id;
  await batch(ctx.d1, [
    ...(row.recipient_id === me ? [uncount(ctx.db, row)] : []),
    ctx.db
      .updateTable("message")
      .set({ [column]: ctx.now })
      .where("id", "=", id)
      .compile(),
    ...settle(ctx.db, row, me, otherId),
  ]);
  ctx.waitUntil(tellMember(ctx.env, me, { type: "unsent", messageId: id, profileId: null }, null));
}

async function unsend(ctx: MemberContext, row: MessageRow): Promise<void> {
  const me = ctx.viewer.profileId;
  const { recipient_id: recipientId, sector } = row;
  if (recipientId === null) {
    await ctx.db.executeQuery(erase(ctx.db, row.id, ctx.now));
    tellArea(ctx, sector ?? 0, me, { type: "unsent", messageId: row.id, profileId: null });
    return;
  }
  if (await isSeenBy(ctx, recipientId)) {
    await batch(ctx.d1, [...unsendQueries(ctx.db, row, recipientId, ctx.now), ...settle(ctx.db, row, me, recipientId)]);
  } else {
    // Nothing may tell that a member out of sight is here: the text waits. Pictures and attachment are closed to the other anyway.
    const waiting =
      sql`update message set unsend_due = 1, ts_sender_deleted = ${ctx.now}, picture_ids = '[]', attachment = null
      where id = ${row.id}`.compile(ctx.db);
    await batch(ctx.d1, [waiting, ...settle(ctx.db, row, me, recipientId)]);
  }
  ctx.waitUntil(tellMember(ctx.env, me, { type: "unsent", messageId: row.id, profileId: null }, null));
  ctx.waitUntil(tellMember(ctx.env, recipientId, { type: "unsent", messageId: row.id, profileId: me }, me));
}

async function isSeenBy(ctx: MemberContext, recipientId: number): Promise<boolean> {
  const { rows } = await sql<{ seen: number }>`select ${seenBy(ctx, recipientId)} as seen`.execute(ctx.db);
  return rows[0]?.seen === 1;
}

/** Messages of one run; the others wait for the next minute. */
const DUE_AT_ONCE = 100;

/** Run by schedule: what was taken back by members who are seen again goes from the other side too. */
export async function unsendDue(env: Env, db: Database, now: number): Promise<void> {
  const seen = BRANDS.map((brand) => sql`m.brand = ${brand.id} and ${listedOn(brand)}`);
  // From pair to pair, so that the many messages of a member who hides for years cost as much as one.
  const { rows } = await sql<MessageRow & { recipient_id: number }>`
    with recursive pair(id) as (
      select * from (select id from message indexed by message_unsend_due where unsend_due = 1
                     order by sender_id, recipient_id limit 1)
      union all
      select (select n.id from message n indexed by message_unsend_due where n.unsend_due = 1
                and (n.sender_id, n.recipient_id) > (m.sender_id, m.recipient_id) order by n.sender_id, n.recipient_id limit 1)
      from pair cross join message m on m.id = pair.id)
    select m.* from pair
    cross join message f on f.id = pair.id
    cross join profile p on p.id = f.sender_id
    cross join message m indexed by message_unsend_due
      on m.unsend_due = 1 and m.sender_id = f.sender_id and m.recipient_id = f.recipient_id
    where (${sql.join(seen, sql` or `)}) and ${notBlocked(sql.ref("m.sender_id"), sql.ref("m.recipient_id"))}
    limit ${sql.lit(DUE_AT_ONCE)}`.execute(db);
  for (const row of rows) {
    const { id, sender_id: senderId, recipient_id: recipientId } = row;
    await batch(env.DB, unsendQueries(db, row, recipientId, now));
    await tellMember(env, recipientId, { type: "unsent", messageId: id, profileId: senderId }, senderId);
  }
}

function unsendQueries(db: Database, row: MessageRow, recipientId: number, now: number): Compiled[] {
  return [uncount(db, row), erase(db, row.id, now), ...settle(db, row, recipientId, row.sender_id)];
}

function erase(db: Database, id: number, now: number) {
  return sql`update message set ts_unsent = ${now}, body_text = '', picture_ids = '[]', attachment = null,
      ts_sender_deleted = iif(unsend_due, null, ts_sender_deleted), unsend_due = 0
    where id = ${id}`.compile(db);
}

/**
 * Before a message goes: one less unread, if it is counted. What a reader has not seen are the newest messages to him, so it is when
 * no more of them than are counted follow it. Asked in the transaction, as he may read, or the other remove it, meanwhile.
 */
function uncount(db: Database, { id, sender_id: senderId, recipient_id: recipientId }: MessageRow) {
  const unseen = sql`m.ts_recipient_read is null and m.ts_unsent is null and m.ts_recipient_deleted is null`;
  return sql`update conversation set unread = unread - 1
    where profile_id = ${recipientId} and other_id = ${senderId} and unread > 0
      and exists (select 1 from message m where m.id = ${id} and ${unseen})
      and unread >= (select count(*) from message m indexed by message_unread
        where m.recipient_id = ${recipientId} and m.sender_id = ${senderId} and m.id >= ${id} and ${unseen})`.compile(
    db,
  );
}

/** One side's conversation after a message went: its latest anew; gone when nothing is left. */
function settle(db: Database, row: MessageRow, ownerId: number, otherId: number) {
  const latest = sql`(select m.id from message m indexed by message_pair
    where m.low_id = ${row.low_id} and m.high_id = ${row.high_id} and ${keptFor(ownerId)} order by m.id desc limit 1)`;
  return [
    sql`update conversation set last_message_id = coalesce(${latest}, 0)
      where profile_id = ${ownerId} and other_id = ${otherId}`.compile(db),
    sql`delete from conversation where profile_id = ${ownerId} and other_id = ${otherId} and last_message_id = 0`.compile(
      db,
    ),
  ];
}
