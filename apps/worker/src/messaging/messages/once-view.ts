/**
 * Pictures and voice messages that open once. One device downloads the content; its bytes are deleted when the reader closes it, or some
 * minutes after they have arrived. docs/decisions/2026-11-22-view-once-pictures.md says what is kept for a report.
 */
import { ONCE_REPEAT_MS, ONCE_REPORTABLE_MS, ONCE_TRIES_MAX } from "@lambda/contract/limits";
import { sql } from "kysely";
import { ageAllowsPicture } from "../../accounts/age/explicit-pictures.ts";
import { hiddenByNotice, isOpen } from "../../pictures/hidden.ts";
import { deletePictureObjects } from "../../pictures/store.ts";
import { batch, type Database, hasRow } from "../../platform/db/database.ts";
import { openDatabaseOf, openMessageDatabases } from "../../platform/db/message-databases.ts";
import type { Env } from "../../platform/env.ts";
import { AppError, notFound } from "../../platform/errors.ts";
import { forEachDue } from "../../platform/for-each.ts";
import { toIso } from "../../platform/iso-time.ts";
import { logFault } from "../../platform/log.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import { withdrawnByStay } from "../../visibility/stays/stay-rules.ts";
import { viewerSeenBy, visibleTo } from "../../visibility/visibility.ts";
import { deleteVoice } from "../voices/store.ts";
import { wroteTo } from "../wrote-to.ts";
import { changeMessages, withChangeContext } from "./change.ts";
import { sendToMember } from "./deliver.ts";
import { pairOf } from "./mappers.ts";
import { lowerUnreadQuery, toldTime } from "./told-receipts.ts";

/**
 * Gives the content to the device that begins to download it. It counts as opened when the bytes have arrived, which the caller reports with
 * `markArrived`. Until they are deleted the same opening gets them again. Throws HIDING, DISCREET, AGE_PROOF_NEEDED (so that it is not used up
 * on a picture that would be pixelated), and NOT_FOUND in all other cases.
 */
export async function openOnceView(ctx: MemberContext, messageId: number, openToken: string) {
  const { viewer } = ctx;
  // The sender is notified of the opening, which would reveal a hidden member.
  if (viewer.hidden) throw new AppError("HIDING");
  const found = await getOnceView(ctx, messageId);
  if (!found.seen_by_sender) throw new AppError(viewer.discreet ? "DISCREET" : "NOT_FOUND");
  if (!found.clear) throw new AppError("AGE_PROOF_NEEDED");
  const tries = found.ts_opened === null ? await claimTry(ctx, messageId, openToken) : undefined;
  if (tries !== undefined) {
    if (tries >= ONCE_TRIES_MAX) await markArrived(ctx, messageId, found.sender_id);
    return found;
  }
  if (await isRetryOfOpening(ctx, messageId, openToken)) return found;
  throw new AppError("NOT_FOUND");
}

/** The content of a message to the viewer. Throws NOT_FOUND unless its sender is visible and the content is neither held nor hidden. */
function getOnceView(ctx: MemberContext, messageId: number) {
  const { db, viewer, now } = ctx;
  return (
    db
      .selectFrom("once_view as o")
      .innerJoin("profile as p", "p.id", "o.sender_id")
      .leftJoin("picture as pic", "pic.id", "o.picture_id")
      .leftJoin("voice as v", "v.id", "o.voice_id")
      .select([
        "o.sender_id",
        "o.ts_opened",
        "pic.id",
        "pic.version",
        "pic.width",
        "v.r2_key",
        "v.mime",
        "v.duration_ms",
      ])
      .select(sql<boolean>`(pic.id is null or ${ageAllowsPicture(ctx) ?? sql`1`})`.as("clear"))
      .select(sql<0 | 1>`${viewerSeenBy(ctx, sql.ref("o.sender_id"))}`.as("seen_by_sender"))
      .where("o.message_id", "=", messageId)
      .where("o.reader_id", "=", viewer.profileId)
      // A trigger sets it to 0 when the message is deleted for its reader or filtered.
      .where("o.ts_due", ">", now)
      .where(sql<boolean>`(pic.id is null or ${isOpen("pic")}) and not ${hiddenByNotice(sql.ref("pic.id"))}`)
      // Explicit pictures wait unopened while the reader is in a country that punishes. For the sender's stay, `hidden_by_staff` is set.
      .where(
        sql<boolean>`(pic.id is null or (pic.nsfw_owner = 0 and pic.nsfw_community = 0) or not ${withdrawnByStay(viewer.profileId)})`,
      )
      .where(visibleTo(ctx))
      .executeTakeFirstOrThrow(notFound)
  );
}

/** How often it has been tried, or undefined while another device tries: of several at once, one gets it. */
async function claimTry(ctx: MemberContext, messageId: number, openToken: string): Promise<number | undefined> {
  const { db, viewer, now } = ctx;
  const claimed = await db
    .updateTable("once_view")
    .set({ ts_tried: now, tries: sql<number>`tries + 1`, session_id: viewer.sessionId, open_token: openToken })
    .where("message_id", "=", messageId)
    .where("ts_opened", "is", null)
    .where("ts_due", ">", now)
    .where(({ eb, or, and }) =>
      or([
        eb("ts_tried", "is", null),
        eb("ts_tried", "<=", now - ONCE_REPEAT_MS),
        and([eb("session_id", "=", viewer.sessionId), eb("open_token", "=", openToken)]),
      ]),
    )
    .returning("tries")
    .executeTakeFirst();
  return claimed?.tries;
}

/** Marks it as opened, once, and tells its reader, and its sender if the reader ever wrote to the sender. */
export async function markArrived(ctx: MemberContext, messageId: number, senderId: number): Promise<void> {
  const { db, viewer } = ctx;
  // The download may have taken minutes.
  const now = Date.now();
  const messages = openDatabaseOf(ctx.messageDatabases, messageId);
  const markOpened = updateOpened(messages.db, messageId, now);
  const lowerUnread = lowerUnreadQuery(messages.db, viewer.profileId, senderId);
  const [[answer], opened] = await batch(ctx.d1, [
    db.selectNoFrom(wroteTo(viewer.profileId, senderId).as("answered")),
    db
      .updateTable("once_view")
      .set({ ts_opened: now, ts_due: now + ONCE_REPORTABLE_MS })
      .where("message_id", "=", messageId)
      .where("reader_id", "=", viewer.profileId)
      .where("tries", ">", 0)
      .where("ts_opened", "is", null)
      // Unsent meanwhile, it is about to be deleted.
      .where("ts_due", ">", 0)
      .returning("id"),
    ...(messages.number === 0
      ? [
          markOpened.where((eb) =>
            eb.exists(
              eb.selectFrom("once_view").select("id").where("message_id", "=", messageId).where("ts_opened", "=", now),
            ),
          ),
          lowerUnread,
        ]
      : []),
  ]);
  if (opened.length === 0) return;
  const event = { type: "opened", messageId, profileId: viewer.profileId, ts: toIso(now) } as const;
  if (answer?.answered) ctx.waitUntil(sendToMember(ctx.env, senderId, event, viewer.profileId));
  ctx.waitUntil(sendToMember(ctx.env, viewer.profileId, event, null));
  // Another database is marked afterwards. If that fails, the message is marked when the bytes are deleted.
  if (messages.number !== 0)
    await changeMessages(ctx, { ...pairOf(viewer.profileId, senderId), database: messages.number }, [
      markOpened,
      lowerUnread,
    ]).catch((error) => logFault({ id: ctx.requestId, event: "once-marked" }, error));
}

function updateOpened(db: Database, messageId: number, now: number) {
  return db
    .updateTable("message")
    .set({
      attachment: sql<string>`json_set(attachment, '$.tsOpened', ${toIso(now)})`,
      // Who opened it has read the message.
      ts_recipient_read: sql<number>`ifnull(ts_recipient_read, ${toldTime(sql.ref("message.recipient_id"), sql.ref("message.sender_id"), now)})`,
    })
    .where("id", "=", messageId)
    .where("attachment", "is not", null);
}

/** Whether the same session opened it with the same token: the server sent all of it, but the end may not have arrived. */
function isRetryOfOpening({ db, viewer, now }: MemberContext, messageId: number, openToken: string) {
  return hasRow(
    db
      .selectFrom("once_view")
      .select("id")
      .where("message_id", "=", messageId)
      .where("open_token", "=", openToken)
      .where("session_id", "=", viewer.sessionId)
      .where("ts_opened", "is not", null)
      .where("ts_due", ">", now),
  );
}

/**
 * Deletes the bytes now that the reader has closed it; the schedule retries failures. Throws the same NOT_FOUND for a message that is not
 * open, not theirs or absent.
 */
export async function closeOnceView(ctx: MemberContext, messageId: number): Promise<void> {
  const tried = await ctx.db
    .selectFrom("once_view")
    .select(["sender_id", "ts_opened"])
    .where("message_id", "=", messageId)
    .where("reader_id", "=", ctx.viewer.profileId)
    .where("tries", ">", 0)
    .executeTakeFirst();
  // Who closes it has seen it, even if marking it failed then.
  if (tried?.ts_opened === null) await markArrived(ctx, messageId, tried.sender_id);
  const closed = await ctx.db
    .updateTable("once_view")
    .set({ ts_due: 0 })
    .where("message_id", "=", messageId)
    .where("reader_id", "=", ctx.viewer.profileId)
    .where("ts_opened", "is not", null)
    .returning("id")
    .execute();
  if (closed.length === 0) throw new AppError("NOT_FOUND");
  await deleteDueOnceViews(ctx.env, ctx.db, ctx.now, messageId).catch((error) =>
    logFault({ id: ctx.requestId, event: "once-closed" }, error),
  );
}

const DUE_PER_RUN_MAX = 250;

/**
 * Scheduled, and called directly for one message: deletes bytes and rows of content that was opened, unsent, expired or never sent, the
 * bytes first, so that the next run can resume. One failure does not stop the others; the first error is thrown at the end.
 */
export async function deleteDueOnceViews(env: Env, db: Database, now: number, messageId?: number): Promise<void> {
  const due = selectDue(db, now);
  const rows = messageId === undefined ? due : due.where("o.message_id", "=", messageId);
  await forEachDue(await rows.execute(), (row) => deleteOnceView(env, db, row));
}

function selectDue(db: Database, now: number) {
  return db
    .selectFrom("once_view as o")
    .leftJoin("picture as pic", "pic.id", "o.picture_id")
    .leftJoin("voice as v", "v.id", "o.voice_id")
    .select(["o.sender_id as profile_id", "o.reader_id", "o.message_id", "o.ts_opened"])
    .select(["pic.id", "pic.version", "v.id as voice_id", "v.r2_key"])
    .where("o.ts_due", "<=", now)
    .limit(DUE_PER_RUN_MAX);
}
type DueRow = Awaited<ReturnType<ReturnType<typeof selectDue>["execute"]>>[number];

/** Keeps the row until the message is marked as opened. */
async function deleteOnceView(env: Env, db: Database, row: DueRow): Promise<void> {
  const { profile_id, id, version, voice_id, r2_key } = row;
  if (r2_key !== null) await env.PICTURES.delete(r2_key);
  if (id !== null && version !== null) await deletePictureObjects(env, { profile_id, id, version, audience: "once" });
  await markOpenedInOther(env, row);
  if (voice_id !== null && r2_key !== null) await deleteVoice(env, db, { id: voice_id, r2_key });
  if (id !== null) await db.deleteFrom("picture").where("id", "=", id).where("audience", "=", "once").execute();
}

async function markOpenedInOther(env: Env, { profile_id: senderId, reader_id, message_id, ts_opened }: DueRow) {
  if (message_id === null || ts_opened === null || reader_id === null) return;
  const messages = openDatabaseOf(openMessageDatabases(env), message_id);
  if (messages.number === 0) return;
  const isMarked = sql<boolean>`attachment ->> '$.tsOpened' is not null`;
  const marked = await hasRow(
    updateOpened(messages.db, message_id, ts_opened).where(sql<boolean>`not ${isMarked}`).returning("id"),
  );
  if (!marked) return;
  const pair = { ...pairOf(reader_id, senderId), database: messages.number };
  const lowerUnread = lowerUnreadQuery(messages.db, reader_id, senderId);
  await withChangeContext(env, (context) => changeMessages(context, pair, [lowerUnread]));
}
