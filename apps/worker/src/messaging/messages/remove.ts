/** Unsends a message for both members, or deletes it from one member's own history. */
import { BRANDS } from "@lambda/brands";
import { type RawBuilder, sql } from "kysely";
import { type DeletedNotification, enqueueGone } from "../../notifications/notify.ts";
import { deleteNotificationsAbout } from "../../notifications/queries.ts";
import { housekeeping, type Jobs } from "../../platform/db/chunked-jobs.ts";
import { batch, type Database, indexedBy, openDatabase, type Query, rowsOf } from "../../platform/db/database.ts";
import { openDatabaseOf } from "../../platform/db/message-databases.ts";
import type { Env } from "../../platform/env.ts";
import { AppError } from "../../platform/errors.ts";
import { forEachDespiteErrors, forEachDue } from "../../platform/for-each.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import { updateShownTo } from "../../visibility/statements/discreet.ts";
import { notBlocked, seenBy, viewerVisibleTo } from "../../visibility/visibility.ts";
import { deleteDueVoices } from "../voices/store.ts";
import { type ChangeContext, changeMessages, withChangeContext } from "./change.ts";
import { sendToArea, sendToMember } from "./deliver.ts";
import { isOfPair, type MessageColumns, otherIdOf } from "./mappers.ts";
import { deleteDueOnceViews } from "./once-view.ts";
import { nextVersion, type Pair } from "./pair-state.ts";
import { findOwnMessage, isInHistoryOf, MESSAGE_COLUMNS } from "./queries.ts";
import { listUnsendPairs, openSessionsQuery, type UnsendPair } from "./statements.ts";

type Due = MessageColumns & { readonly recipient_id: number };

const PAIRS_PER_QUERY_MAX = 500;

/** Of these pairs, the unsent messages whose recipients can see the sender now, which only the main database knows. */
async function listUnsendDue(
  main: Database,
  messages: Database,
  waiting: readonly UnsendPair[],
  limit: number,
): Promise<Due[]> {
  const due: Due[] = [];
  for (let from = 0; from < waiting.length && due.length < limit; from += PAIRS_PER_QUERY_MAX) {
    const listed = BRANDS.map((brand) => sql`iif(${seenBy(brand, sql.ref("w.recipient_id"))}, ${brand.id}, null)`);
    const rows = await main
      .selectFrom(rowsOf(waiting.slice(from, from + PAIRS_PER_QUERY_MAX), ["sender_id", "recipient_id"], "w"))
      .innerJoin("profile as p", "p.id", "w.sender_id")
      .select(["w.sender_id", "w.recipient_id"])
      .select(sql<string>`json_array(${sql.join(listed)})`.as("brands"))
      .where(notBlocked(sql.ref("w.sender_id"), sql.ref("w.recipient_id")))
      .execute();
    const visible = rows.flatMap(({ brands, ...pair }) =>
      (JSON.parse(brands) as (string | null)[]).flatMap((brand) => (brand === null ? [] : [{ ...pair, brand }])),
    );
    if (visible.length > 0) due.push(...(await listDueOfPairs(messages, visible, limit - due.length)));
  }
  return due;
}

function listDueOfPairs(
  messages: Database,
  pairs: readonly (UnsendPair & { readonly brand: string })[],
  limit: number,
): Promise<Due[]> {
  const recipient = sql.ref("m.recipient_id") as RawBuilder<number>;
  return messages
    .selectFrom(rowsOf(pairs, ["sender_id", "recipient_id", "brand"], "w"))
    .crossJoin(indexedBy("message", "m", "message_unsend_due"))
    .select(MESSAGE_COLUMNS)
    .select(sql<number>`${recipient}`.as("recipient_id"))
    .where("m.unsend_due", "=", sql.lit(1))
    .whereRef("m.sender_id", "=", "w.sender_id")
    .whereRef("m.recipient_id", "=", "w.recipient_id")
    .whereRef("m.brand", "=", "w.brand")
    .limit(limit)
    .execute();
}

/**
 * Unsends a message of the viewer's own, which a recipient who cannot see the sender keeps until they can again; with `forMe`, and always
 * for a recipient, deletes it from the viewer's history only. Throws NOT_FOUND for other members' messages and for messages from a blocked
 * member.
 */
export async function removeMessage(ctx: MemberContext, id: number, forMe: boolean): Promise<void> {
  const me = ctx.viewer.profileId;
  const row = await findOwnMessage(ctx, id);
  if (!row || row.ts_unsent !== null) throw new AppError("NOT_FOUND");
  if (row.sender_id === me && (!forMe || row.recipient_id === null)) return unsend(ctx, row);
  const column = row.sender_id === me ? "ts_sender_deleted" : "ts_recipient_deleted";
  const otherId = otherIdOf(row, me)!;
  const pair = pairOfMessage(ctx, row);
  const { main } = await changeMessages<unknown[][], DeletedNotification[][]>(
    ctx,
    pair,
    [
      ...(row.recipient_id === me ? [decrementUnreadQuery(ctx.db, row)] : []),
      ctx.db
        .updateTable("message")
        .set({ [column]: ctx.now, ...uncopiedMark(pair) })
        .where("id", "=", id),
      ...updateLatestMessageQueries(ctx.db, row, me, otherId),
    ],
    row.recipient_id === me ? [deleteNotificationQuery(ctx.db, me, otherId)] : [],
  );
  ctx.waitUntil(enqueueGone(ctx, me, main.flat()));
  deleteUploads(ctx, row);
  ctx.waitUntil(sendToMember(ctx.env, me, { type: "unsent", messageId: id, profileId: null }, null));
}

/** Deletes the bytes of the message's uploads at once: a trigger, or the copy to the main database, has set them due. */
function deleteUploads(ctx: MemberContext, row: MessageColumns): void {
  if (row.attachment === null) return;
  ctx.waitUntil(deleteDueOnceViews(ctx.env, ctx.db, ctx.now, row.id));
  ctx.waitUntil(deleteDueVoices(ctx.env, ctx.db, ctx.now, row.id));
}

async function unsend(ctx: MemberContext, row: MessageColumns): Promise<void> {
  const me = ctx.viewer.profileId;
  const { recipient_id: recipientId, sector } = row;
  if (recipientId === null) {
    await eraseQuery(ctx.db, row.id, null, ctx.now).execute();
    sendToArea(ctx, sector ?? 0, me, { type: "unsent", messageId: row.id, profileId: null });
    return;
  }
  const pair = pairOfMessage(ctx, row);
  // Read before: after their last message a discreet sender is no longer seen, but the recipient's devices have to drop it.
  const [[sender], sessions] = await batch(ctx.d1, [
    ctx.db.selectNoFrom(sql<0 | 1>`${viewerVisibleTo(ctx, recipientId)}`.as("visible")),
    openSessionsQuery(ctx.db, [recipientId], me, ctx.now),
  ]);
  if (sender?.visible) {
    const { main } = await changeMessages<unknown[][], [DeletedNotification[]]>(
      ctx,
      pair,
      [
        ...unsendQueries(ctx.db, row, pair, recipientId, ctx.now),
        ...updateLatestMessageQueries(ctx.db, row, me, recipientId),
        markAllUnsentQuery(ctx.db, pair, me),
      ],
      [deleteNotificationQuery(ctx.db, recipientId, me)],
    );
    ctx.waitUntil(enqueueGone(ctx, recipientId, main[0]));
    updateShownTo(ctx, recipientId);
  } else {
    // Unsending would reveal that an invisible member is online, so the text stays for now. Pictures and attachment are closed to the recipient already.
    const deferUnsend = ctx.db
      .updateTable("message")
      .set({ unsend_due: 1, ts_sender_deleted: ctx.now, picture_ids: "[]", attachment: null, ...uncopiedMark(pair) })
      .where("id", "=", row.id);
    await changeMessages(ctx, pair, [
      deferUnsend,
      ...updateLatestMessageQueries(ctx.db, row, me, recipientId),
      markAllUnsentQuery(ctx.db, pair, me),
    ]);
  }
  deleteUploads(ctx, row);
  ctx.waitUntil(sendToMember(ctx.env, me, { type: "unsent", messageId: row.id, profileId: null }, null));
  if (row.filtered === 0)
    ctx.waitUntil(
      sendToMember(ctx.env, recipientId, { type: "unsent", messageId: row.id, profileId: me }, me, sessions),
    );
}

/** The latest messages of a pair that are searched for one that its sender did not unsend. */
const UNSENT_SEARCHED_MAX = 200;

/** Records whether everything that a member wrote to the other is unsent, so that nothing is left that shows a discreet one. */
function markAllUnsentQuery(db: Database, pair: Pair, senderId: number): Query {
  const latest = db
    .selectFrom(indexedBy("message", "m", "message_by_pair"))
    .select(["m.sender_id", "m.ts_unsent", "m.unsend_due"])
    .where(isOfPair(pair, "m"))
    .orderBy("m.id", "desc")
    .limit(UNSENT_SEARCHED_MAX);
  return db
    .updateTable("message_pair")
    .set({ unsent_by: sql<number>`unsent_by | ${sql.lit(senderId === pair.low ? 1 : 2)}` })
    .where(isOfPair(pair))
    .where(
      sql<boolean>`not exists (select 1 from ${latest.as("kept")}
        where kept.sender_id = ${senderId} and kept.ts_unsent is null and kept.unsend_due = 0)`,
    );
}

/** Per run and database; the others wait for the next minute. */
const UNSEND_BATCH_MAX = 100;

/** Pairs examined per run and database: a member who never shows up again has thousands wait for good. */
const UNSEND_PAIRS_MAX = 1000;

const FIRST_PAIR: UnsendPair = { sender_id: 0, recipient_id: 0 };

/** Scheduled, in this order: erases unsent messages for recipients who can see the sender again, and remembers where to look next. */
export function unsendJobs(env: Env, now: number): Jobs {
  const moved = new Map<number, UnsendPair>();
  return {
    unsendDueMessages: () => unsendDueMessages(env, now, moved),
    storeUnsendCursors: housekeeping(() => storeUnsendCursors(openDatabase(env.DB), moved)),
  };
}

/** @param moved where each database whose cursor moves is to be looked through next */
async function unsendDueMessages(env: Env, now: number, moved: Map<number, UnsendPair>): Promise<void> {
  await withChangeContext(env, async (context) => {
    const { db, messageDatabases } = context;
    const numbers = [0, ...messageDatabases.numbers];
    const rows = await db.selectFrom("unsend_cursor").selectAll().where("number", "in", numbers).execute();
    const cursors = new Map(rows.map(({ number, ...pair }) => [number, pair]));
    await forEachDespiteErrors(numbers, async (number) => {
      const messages = messageDatabases.open(number).db;
      const after = cursors.get(number) ?? FIRST_PAIR;
      const pairs = await listUnsendPairs(messages, after, UNSEND_PAIRS_MAX);
      const due = await listUnsendDue(db, messages, pairs, UNSEND_BATCH_MAX);
      const next = pairs.length < UNSEND_PAIRS_MAX ? FIRST_PAIR : pairs.at(-1)!;
      if (due.length < UNSEND_BATCH_MAX && next.sender_id + after.sender_id > 0) moved.set(number, next);
      const done = await forEachDue(due, async (row) => {
        const { id, sender_id: senderId, recipient_id: recipientId } = row;
        const pair = pairOfMessage(context, row);
        const { main } = await changeMessages<unknown[][], [DeletedNotification[]]>(
          context,
          pair,
          unsendQueries(db, row, pair, recipientId, now),
          [deleteNotificationQuery(db, recipientId, senderId)],
        );
        await enqueueGone({ env, now }, recipientId, main[0]);
        if (row.filtered === 0)
          await sendToMember(env, recipientId, { type: "unsent", messageId: id, profileId: senderId }, senderId);
      });
      if (done.length < due.length) moved.delete(number);
    });
  });
}

async function storeUnsendCursors(db: Database, moved: ReadonlyMap<number, UnsendPair>): Promise<void> {
  if (moved.size === 0) return;
  await db
    .insertInto("unsend_cursor")
    .values([...moved].map(([number, pair]) => ({ number, ...pair })))
    .onConflict((conflict) =>
      conflict.column("number").doUpdateSet((old) => ({
        sender_id: old.ref("excluded.sender_id"),
        recipient_id: old.ref("excluded.recipient_id"),
      })),
    )
    .execute();
}

/** Once nothing unread from the sender is left, the recipient's notification of it goes too. */
function deleteNotificationQuery(db: Database, recipientId: number, senderId: number): Query<DeletedNotification> {
  return deleteNotificationsAbout(db, senderId, recipientId, ["message"])
    .where(
      sql<boolean>`not exists (select 1 from conversation c
        where c.profile_id = ${recipientId} and c.other_id = ${senderId} and c.unread > 0)`,
    )
    .returning(["kind", "brand"]);
}

/** Throws for a broadcast. */
export function pairOfMessage(
  { messageDatabases }: ChangeContext,
  { id, low_id: low, high_id: high }: MessageColumns,
): Pair {
  if (low === null || high === null) throw new Error("a broadcast has no pair");
  return { low, high, database: openDatabaseOf(messageDatabases, id).number };
}

/** In a message database, marks the message's content as not yet copied to the main one: its uploads, and its evidence for jurors. */
function uncopiedMark(pair: Pair): { unsynced_version?: RawBuilder<number> } {
  return pair.database === 0 ? {} : { unsynced_version: nextVersion(pair) };
}

function unsendQueries(db: Database, row: MessageColumns, pair: Pair, recipientId: number, now: number): Query[] {
  return [
    decrementUnreadQuery(db, row),
    eraseQuery(db, row.id, pair, now),
    ...updateLatestMessageQueries(db, row, recipientId, row.sender_id),
  ];
}

function eraseQuery(db: Database, id: number, pair: Pair | null, now: number): Query {
  return db
    .updateTable("message")
    .set({
      ts_unsent: now,
      body_text: "",
      picture_ids: "[]",
      attachment: null,
      reply_to: null,
      reaction: null,
      ts_sender_deleted: sql<number | null>`iif(unsend_due, null, ts_sender_deleted)`,
      unsend_due: 0,
      ...(pair && uncopiedMark(pair)),
    })
    .where("id", "=", id);
}

/**
 * Lowers the unread count before a message is removed if the count, which covers the newest unread messages, includes it. Checked in the
 * transaction, since the recipient may read it concurrently.
 */
function decrementUnreadQuery(db: Database, row: MessageColumns): Query {
  const { id, sender_id: senderId, recipient_id: recipientId } = row;
  const isUnread = sql`m.ts_recipient_read is null and m.ts_unsent is null and m.ts_recipient_deleted is null`;
  return db
    .updateTable("conversation")
    .set((old) => ({ unread: old("unread", "-", 1) }))
    .where("profile_id", "=", recipientId)
    .where("other_id", "=", senderId)
    .where("unread", ">", 0)
    .where(sql<boolean>`exists (select 1 from message m where m.id = ${id} and ${isUnread})`)
    .where(
      sql<boolean>`unread >= (select count(*) from message m indexed by message_unread
        where m.recipient_id = ${recipientId} and m.sender_id = ${senderId} and m.id >= ${id} and ${isUnread})`,
    );
}

/** Sets one member's latest message of a conversation after a message was removed, and deletes the conversation when none is left. */
function updateLatestMessageQueries(db: Database, row: MessageColumns, ownerId: number, otherId: number): Query[] {
  const latest = db
    .selectFrom(indexedBy("message", "m", "message_by_pair"))
    .select("m.id")
    .where(isOfPair({ low: row.low_id, high: row.high_id }, "m"))
    .where(isInHistoryOf(ownerId))
    .orderBy("m.id", "desc")
    .limit(1);
  return [
    db
      .updateTable("conversation")
      .set({ last_message_id: sql<number>`coalesce(${latest}, 0)` })
      .where("profile_id", "=", ownerId)
      .where("other_id", "=", otherId),
    db
      .deleteFrom("conversation")
      .where("profile_id", "=", ownerId)
      .where("other_id", "=", otherId)
      .where("last_message_id", "=", 0),
  ];
}
