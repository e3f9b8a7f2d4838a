/** Taking a message back (both sides), or out of one's own history. */
import { sql } from "kysely";
import { batch } from "../../db/batch.ts";
import type { MessageRow } from "../../db/tables.ts";
import { AppError } from "../../errors.ts";
import type { MemberContext } from "../../trpc.ts";
import { tellArea, tellMember } from "./deliver.ts";
import { findOwnMessage, keptFor } from "./queries.ts";

/**
 * The sender takes it back: text, pictures and attachment are erased, and it is gone for both. With `forMe`, and always for
 * a recipient, it goes from this member's history alone. NOT_FOUND for a message that is not his, and for one that he got
 * from somebody a block stands between: that one is gone while it stands, but what he wrote himself he can always take back.
 */
export async function removeMessage(ctx: MemberContext, id: number, forMe: boolean): Promise<void> {
  const me = ctx.viewer.profileId;
  const row = await findOwnMessage(ctx.db, me, id);
  if (!row || row.ts_unsent !== null) throw new AppError("NOT_FOUND");
  if (row.sender_id === me && (!forMe || row.recipient_id === null)) return unsend(ctx, row);
  const column = row.sender_id === me ? "ts_sender_deleted" : "ts_recipient_deleted";
  const otherId = row.sender_id === me ? row.recipient_id! : row.sender_id;
  await batch(ctx.d1, [
    ...(row.recipient_id === me ? [uncount(ctx, row)] : []),
    ctx.db
      .updateTable("message")
      .set({ [column]: ctx.now })
      .where("id", "=", id)
      .compile(),
    ...settle(ctx, row, me, otherId),
  ]);
  ctx.waitUntil(tellMember(ctx.env, me, { type: "unsent", messageId: id, profileId: null }, null));
}

async function unsend(ctx: MemberContext, row: MessageRow): Promise<void> {
  const me = ctx.viewer.profileId;
  const erased = sql`update message set ts_unsent = ${ctx.now}, body_text = '', picture_ids = '[]', attachment = null
    where id = ${row.id}`.compile(ctx.db);
  const { recipient_id: recipientId, sector } = row;
  if (recipientId === null) {
    await ctx.db.executeQuery(erased);
    tellArea(ctx, sector ?? 0, me, { type: "unsent", messageId: row.id, profileId: null });
    return;
  }
  await batch(ctx.d1, [
    uncount(ctx, row),
    erased,
    ...settle(ctx, row, me, recipientId),
    ...settle(ctx, row, recipientId, me),
  ]);
  ctx.waitUntil(tellMember(ctx.env, me, { type: "unsent", messageId: row.id, profileId: null }, null));
  ctx.waitUntil(tellMember(ctx.env, recipientId, { type: "unsent", messageId: row.id, profileId: me }, me));
}

/**
 * Before a message goes: one less unread, if it is counted. What a reader has not seen are the newest messages to him, so it is when
 * no more of them than are counted follow it. Asked in the transaction, as he may read, or the other remove it, meanwhile.
 */
function uncount({ db }: MemberContext, { id, sender_id: senderId, recipient_id: recipientId }: MessageRow) {
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
function settle({ db }: MemberContext, row: MessageRow, ownerId: number, otherId: number) {
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
