/** Taking a message back (both sides), or out of one's own history. */
import { type CompiledQuery, type RawBuilder, sql } from "kysely";
import { viewerVisibleTo } from "../../members/visibility/visibility.ts";
import type { Compiled } from "../../platform/db/batch.ts";
import { indexedBy } from "../../platform/db/d1.ts";
import type { Database } from "../../platform/db/database.ts";
import { inEachShard, openFor } from "../../platform/db/shards.ts";
import type { Env } from "../../platform/env.ts";
import { AppError } from "../../platform/errors.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import { deleteDueVoices } from "../voices/store.ts";
import { changeMessages, type Ground, onGround } from "./change.ts";
import { sendToArea, sendToMember } from "./deliver.ts";
import { type Pair, versionOfChange } from "./heads.ts";
import type { MessageColumns } from "./mappers.ts";
import { deleteDueOnce } from "./once.ts";
import { findOwnMessage, keptFor } from "./queries.ts";
import { listUnsendDue } from "./statements.ts";
import { listUnsendDueIn } from "./unsend-elsewhere.ts";

/**
 * The sender takes it back: erased and gone for both, for a recipient who does not see the sender as soon as they do. With `forMe`, and
 * always for a recipient, it goes from this member's history alone. NOT_FOUND for a message of others, and for one from a blocked member.
 */
export async function removeMessage(ctx: MemberContext, id: number, forMe: boolean): Promise<void> {
  const me = ctx.viewer.profileId;
  const row = await findOwnMessage(ctx, id);
  if (!row || row.ts_unsent !== null) throw new AppError("NOT_FOUND");
  if (row.sender_id === me && (!forMe || row.recipient_id === null)) return unsend(ctx, row);
  const column = row.sender_id === me ? "ts_sender_deleted" : "ts_recipient_deleted";
  const otherId = row.sender_id === me ? row.recipient_id! : row.sender_id;
  const pair = pairOfMessage(ctx, row);
  await changeMessages(ctx, pair, [
    ...(row.recipient_id === me ? [decrementUnreadQuery(ctx.db, row)] : []),
    ctx.db
      .updateTable("message")
      .set({ [column]: ctx.now, ...untoldOf(pair) })
      .where("id", "=", id)
      .compile(),
    ...updateLatestQueries(ctx.db, row, me, otherId),
  ]);
  forgetCarried(ctx, row);
  ctx.waitUntil(sendToMember(ctx.env, me, { type: "unsent", messageId: id, profileId: null }, null));
}

/** A trigger ends it; the bytes go at once, too. */
function forgetCarried(ctx: MemberContext, row: MessageColumns): void {
  if (row.attachment === null) return;
  ctx.waitUntil(deleteDueOnce(ctx.env, ctx.db, ctx.now, row.id));
  ctx.waitUntil(deleteDueVoices(ctx.env, ctx.db, ctx.now, row.id));
}

async function unsend(ctx: MemberContext, row: MessageColumns): Promise<void> {
  const me = ctx.viewer.profileId;
  const { recipient_id: recipientId, sector } = row;
  if (recipientId === null) {
    await ctx.db.executeQuery(eraseQuery(ctx.db, row.id, null, ctx.now));
    sendToArea(ctx, sector ?? 0, me, { type: "unsent", messageId: row.id, profileId: null });
    return;
  }
  const pair = pairOfMessage(ctx, row);
  if (await isSeenBy(ctx, recipientId)) {
    await changeMessages(ctx, pair, [
      ...unsendQueries(ctx.db, row, pair, recipientId, ctx.now),
      ...updateLatestQueries(ctx.db, row, me, recipientId),
    ]);
  } else {
    // Nothing may tell that a member out of sight is here: the text waits. Pictures and attachment are closed to the other anyway.
    const waiting = ctx.db
      .updateTable("message")
      .set({ unsend_due: 1, ts_sender_deleted: ctx.now, picture_ids: "[]", attachment: null, ...untoldOf(pair) })
      .where("id", "=", row.id)
      .compile();
    await changeMessages(ctx, pair, [waiting, ...updateLatestQueries(ctx.db, row, me, recipientId)]);
  }
  forgetCarried(ctx, row);
  ctx.waitUntil(sendToMember(ctx.env, me, { type: "unsent", messageId: row.id, profileId: null }, null));
  if (row.filtered === 0)
    ctx.waitUntil(sendToMember(ctx.env, recipientId, { type: "unsent", messageId: row.id, profileId: me }, me));
}

async function isSeenBy(ctx: MemberContext, recipientId: number): Promise<boolean> {
  const row = await ctx.db
    .selectNoFrom(sql<0 | 1>`${viewerVisibleTo(ctx, recipientId)}`.as("seen"))
    .executeTakeFirstOrThrow();
  return row.seen === 1;
}

/** Messages of one run; the others wait for the next minute. */
const UNSEND_BATCH_MAX = 100;

/** Run by schedule: what was taken back by members who are seen again goes from the other side too. */
export function unsendDue(env: Env, now: number): Promise<void> {
  return onGround(env, (ground) => unsendOn(ground, now));
}

async function unsendOn(ground: Ground & { readonly env: Env }, now: number): Promise<void> {
  const { db, env, shards } = ground;
  await inEachShard([0, ...shards.numbers], async (shard) => {
    const due =
      shard === 0
        ? await listUnsendDue(db, UNSEND_BATCH_MAX)
        : await listUnsendDueIn(db, shards.open(shard).db, UNSEND_BATCH_MAX);
    for (const row of due) {
      const { id, sender_id: senderId, recipient_id: recipientId } = row;
      const pair = pairOfMessage(ground, row);
      await changeMessages(ground, pair, unsendQueries(db, row, pair, recipientId, now));
      if (row.filtered === 0)
        await sendToMember(env, recipientId, { type: "unsent", messageId: id, profileId: senderId }, senderId);
    }
  });
}

/** Of a message between two members. */
function pairOfMessage({ shards }: Ground, { id, low_id: low, high_id: high }: MessageColumns): Pair {
  if (low === null || high === null) throw new Error("a broadcast has no pair");
  return { low, high, shard: openFor(shards, id).shard };
}

/** In other databases the main one has still to hear of it, of whatever it carried, and for jurors that it is gone. */
function untoldOf(pair: Pair): { untold?: RawBuilder<number> } {
  return pair.shard === 0 ? {} : { untold: versionOfChange(pair) };
}

function unsendQueries(db: Database, row: MessageColumns, pair: Pair, recipientId: number, now: number): Compiled[] {
  return [
    decrementUnreadQuery(db, row),
    eraseQuery(db, row.id, pair, now),
    ...updateLatestQueries(db, row, recipientId, row.sender_id),
  ];
}

function eraseQuery(db: Database, id: number, pair: Pair | null, now: number): CompiledQuery {
  return db
    .updateTable("message")
    .set({
      ts_unsent: now,
      body_text: "",
      picture_ids: "[]",
      attachment: null,
      ts_sender_deleted: sql<number | null>`iif(unsend_due, null, ts_sender_deleted)`,
      unsend_due: 0,
      ...(pair && untoldOf(pair)),
    })
    .where("id", "=", id)
    .compile();
}

/**
 * Before a message goes: one less unread, if it is counted. The unread ones are the newest, so it is when no more of them than are
 * counted follow it; asked in the transaction, as the other may read or remove it meanwhile.
 */
function decrementUnreadQuery(db: Database, row: MessageColumns): Compiled {
  const { id, sender_id: senderId, recipient_id: recipientId } = row;
  const unseen = sql`m.ts_recipient_read is null and m.ts_unsent is null and m.ts_recipient_deleted is null`;
  return db
    .updateTable("conversation")
    .set((old) => ({ unread: old("unread", "-", 1) }))
    .where("profile_id", "=", recipientId)
    .where("other_id", "=", senderId)
    .where("unread", ">", 0)
    .where(sql<boolean>`exists (select 1 from message m where m.id = ${id} and ${unseen})`)
    .where(
      sql<boolean>`unread >= (select count(*) from message m indexed by message_unread
        where m.recipient_id = ${recipientId} and m.sender_id = ${senderId} and m.id >= ${id} and ${unseen})`,
    )
    .compile();
}

/** One side's conversation after a message went: its latest anew; gone when nothing is left. */
function updateLatestQueries(db: Database, row: MessageColumns, ownerId: number, otherId: number): Compiled[] {
  const latest = db
    .selectFrom(indexedBy("message", "m", "message_pair"))
    .select("m.id")
    .where("m.low_id", "=", row.low_id)
    .where("m.high_id", "=", row.high_id)
    .where(keptFor(ownerId))
    .orderBy("m.id", "desc")
    .limit(1);
  return [
    db
      .updateTable("conversation")
      .set({ last_message_id: sql<number>`coalesce(${latest}, 0)` })
      .where("profile_id", "=", ownerId)
      .where("other_id", "=", otherId)
      .compile(),
    db
      .deleteFrom("conversation")
      .where("profile_id", "=", ownerId)
      .where("other_id", "=", otherId)
      .where("last_message_id", "=", 0)
      .compile(),
  ];
}
