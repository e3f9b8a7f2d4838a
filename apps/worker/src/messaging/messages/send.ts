/**
 * Validates a message, stores it in one batch, then acknowledges and delivers it; a retry with the same client id returns the stored
 * message and changes nothing. Rejects hidden and unnamed senders, invisible recipients, senders outside the recipient's first-contact
 * limits, and pictures that are not the sender's.
 */

import type { Message } from "@lambda/contract/messages";
import { sql } from "kysely";
import { ownFirstPicture } from "../../pictures/album-order.ts";
import { isShownToOwner } from "../../pictures/hidden.ts";
import { ownSector } from "../../places/areas/area.ts";
import { batch, guardQuery, hasRow, isGuardFailure } from "../../platform/db/database.ts";
import { openDatabaseOf } from "../../platform/db/message-databases.ts";
import { AppError } from "../../platform/errors.ts";
import { toIso } from "../../platform/iso-time.ts";
import type { RecipientSession } from "../../platform/objects.ts";
import { spendQuota } from "../../platform/rate-limits/limit.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import { discloseAlbumQuery, discloseFirstQueries } from "../../visibility/statements/disclosures.ts";
import { updateShownTo } from "../../visibility/statements/discreet.ts";
import { firstPictureOf, presentOn, visibleTo } from "../../visibility/visibility.ts";
import { bothWroteInMain, hasUnansweredLeft } from "../wrote-to.ts";
import { forgetAnswered, hasSeenAnswered, rememberAnswered } from "./answered-pairs.ts";
import {
  attachmentQueries,
  type Draft,
  ownsUnsentUpload,
  picturesField,
  resolveAttachment,
  showsPictures,
} from "./attachments.ts";
import { assignDatabase, changeMessages, syncPair } from "./change.ts";
import { deliverBroadcast, deliverMessage, sendToMember } from "./deliver.ts";
import { CONTACT_COLUMNS, hasFilteredMessage, selectRecipient, toContact } from "./first-contact.ts";
import { insertMessageQuery, updateConversationsQuery } from "./insert-message.ts";
import { limitMessages, recordFirstMessage } from "./limits.ts";
import { type MessageColumns, pairOf, toMessage } from "./mappers.ts";
import { MESSAGE_COLUMNS, pairDatabaseQuery } from "./queries.ts";
import { checkContact, isFiltered } from "./rules.ts";
import { openSessionsQuery } from "./statements.ts";
import { listTold, lowerUnreadQuery, type ToldMessage, tellReceiptsQuery } from "./told-receipts.ts";
import { requireNotDeclined, wasDeclinedOften } from "./unsolicited-pictures.ts";

type SendContext = NonNullable<Awaited<ReturnType<typeof findSendContext>>>;

/**
 * Throws HIDING, DISCREET (to the map chat), NOT_FOUND (no such visible recipient or picture), NOT_ALLOWED (the recipient's first-contact limits, or no profile
 * name), UNANSWERED, ASK_FIRST, OPENING_REPEATED or TOO_MANY_REQUESTS.
 */
export async function sendMessage(ctx: MemberContext, draft: Draft): Promise<Message> {
  const { viewer } = ctx;
  if (draft.senderProfileId !== undefined && draft.senderProfileId !== viewer.profileId)
    throw new AppError("NOT_ALLOWED");
  if (draft.recipientProfileId === viewer.profileId) throw new AppError("NOT_FOUND");
  const clientId = draft.clientId ?? crypto.randomUUID();
  // Runs while the database is queried. Retries count too: one beyond the limit gets a response, but is not delivered again.
  const rateLimitCheck = limitMessages(ctx, draft.bodyText);
  rateLimitCheck.catch(() => undefined);
  const sent = await sendToAnswered(ctx, draft, clientId, rateLimitCheck);
  if (sent) return sent;
  const sendContext = await findSendContext(ctx, clientId, draft);
  if (sendContext?.is_retry) return respondToRetry(ctx, await getByClientId(ctx, 0, clientId), rateLimitCheck);
  try {
    await rateLimitCheck;
    return await validateAndSend(ctx, draft, clientId, sendContext);
  } catch (error) {
    // Only the main database was checked for a retry so far, and a message that is stored in another one must not be rejected.
    if (ctx.messageDatabases.numbers.length === 0 || !(error instanceof AppError)) throw error;
    const database = sendContext?.database ?? (await getPairDatabase(ctx, draft.recipientProfileId ?? 0));
    const stored = database !== 0 && (await findByClientId(ctx, database, clientId));
    if (!stored) throw error;
    await syncPair(ctx, { low: stored.low_id!, high: stored.high_id!, database });
    return respondToRetry(ctx, stored, rateLimitCheck);
  }
}

/**
 * Stores a text to a member who has answered in the one transaction that checks everything. Undefined if it stored nothing, and for all else:
 * then the usual way finds out why.
 */
async function sendToAnswered(
  ctx: MemberContext,
  draft: Draft,
  clientId: string,
  rateLimitCheck: Promise<void>,
): Promise<Message | undefined> {
  const { viewer, db, now } = ctx;
  const { recipientProfileId: recipientId } = draft;
  const isText = draft.profilePicIds.length === 0 && !draft.attachment;
  if (!recipientId || !isText || viewer.hidden || !hasSeenAnswered(viewer.profileId, recipientId)) return undefined;
  const isWithinLimit = await rateLimitCheck.then(
    () => true,
    () => false,
  );
  if (!isWithinLimit) return undefined;
  const onlyIf = sql<boolean>`exists (select 1 from profile me cross join profile p
    where me.id = ${viewer.profileId} and ${presentOn(ctx.brand, "me")} and p.id = ${recipientId} and ${visibleTo(ctx)})
    and ${bothWroteInMain(viewer.profileId, recipientId)}`;
  const pair = { ...pairOf(viewer.profileId, recipientId), database: 0 };
  const [[row], , sessions] = await batch(ctx.d1, [
    insertMessageQuery(ctx, clientId, draft, {
      pair,
      recipientId,
      sector: null,
      attachment: null,
      flagged: false,
      filtered: false,
      onlyIf,
    }),
    updateConversationsQuery(ctx, clientId, recipientId, false),
    openSessionsQuery(db, [viewer.profileId, recipientId], viewer.profileId, now),
  ]);
  if (!row) {
    forgetAnswered(viewer.profileId, recipientId);
    return undefined;
  }
  deliverMessage(ctx, row, sessions);
  updateShownTo(ctx, recipientId);
  return toMessage(row, viewer.profileId);
}

/** Tells the other, who wrote first, that the viewer has read what is before the first answer, and what of it the viewer opened. */
async function tellReceipts(
  ctx: MemberContext,
  senderId: number,
  told: readonly ToldMessage[],
  now: number,
): Promise<void> {
  if (told.length === 0) return;
  const { profileId } = ctx.viewer;
  const upToMessageId = Math.max(...told.map(({ id }) => id));
  const opened = told.flatMap(({ id: messageId, attachment }) => {
    const { tsOpened: ts } = JSON.parse(attachment ?? "{}") as { tsOpened?: string | null };
    return ts ? [{ type: "opened", messageId, profileId, ts } as const] : [];
  });
  const seen = { type: "seen", profileId, withProfileId: senderId, upToMessageId, ts: toIso(now) } as const;
  await Promise.all([seen, ...opened].map((event) => sendToMember(ctx.env, senderId, event, profileId)));
}

/** The first request may have failed before it told them. */
async function tellReceiptsAgain(ctx: MemberContext, senderId: number, answer: MessageColumns): Promise<void> {
  const told = await listTold(openDatabaseOf(ctx.messageDatabases, answer.id).db, ctx, senderId, answer);
  await tellReceipts(ctx, senderId, told, answer.ts_created);
}

/** Returns the stored message and delivers it once more, because the first request may have failed between storing and delivering. */
async function respondToRetry(ctx: MemberContext, stored: MessageColumns, rateLimitCheck: Promise<unknown>) {
  const [isVisible, isWithinLimit] = await Promise.all([
    isRecipientVisible(ctx, stored.recipient_id),
    rateLimitCheck.then(
      () => true,
      () => false,
    ),
  ]);
  // Delivering twice is safe: devices recognize a message by its id. The sender's own get it in any case, or would learn what is delivered.
  if (isVisible && isWithinLimit && stored.ts_unsent === null) {
    deliverMessage(ctx, stored, undefined, stored.ts_delivered === null);
    if (stored.recipient_id !== null) ctx.waitUntil(tellReceiptsAgain(ctx, stored.recipient_id, stored));
  }
  // The first request may have failed before that too.
  if (stored.recipient_id !== null) updateShownTo(ctx, stored.recipient_id);
  return toMessage(stored, ctx.viewer.profileId, isVisible);
}

async function validateAndSend(
  ctx: MemberContext,
  draft: Draft,
  clientId: string,
  sendContext: SendContext | undefined,
): Promise<Message> {
  if (ctx.viewer.hidden) throw new AppError("HIDING");
  if (!sendContext?.listed)
    throw new AppError("NOT_ALLOWED", { message: "Give your profile a name on this site first." });
  if (sendContext.picture_count !== new Set(draft.profilePicIds).size)
    throw new AppError("NOT_FOUND", { field: "profilePicIds" });
  if (!sendContext.owns_upload) throw new AppError("NOT_FOUND", { field: "attachment" });
  return draft.recipientProfileId
    ? sendPersonal(ctx, draft, clientId, draft.recipientProfileId, sendContext)
    : sendBroadcast(ctx, draft, clientId, sendContext);
}

async function sendPersonal(
  ctx: MemberContext,
  draft: Draft,
  clientId: string,
  recipientId: number,
  sendContext: SendContext,
): Promise<Message> {
  const { viewer, now } = ctx;
  const hasFiltered = await hasFilteredMessage(ctx.messageDatabases, sendContext, viewer.profileId, recipientId);
  const contact = toContact(sendContext, hasFiltered);
  if (!contact) throw new AppError("NOT_FOUND");
  const verdict = checkContact(contact, now);
  if (verdict === "unanswered") throw new AppError("UNANSWERED");
  if (contact.unanswered !== null && sendContext.declined) await requireNotDeclined(ctx, false, picturesField(draft));
  if (verdict === "outside limits") {
    throw new AppError("NOT_ALLOWED", { message: "He does not take a first message from you right now." });
  }
  const flagged =
    contact.unanswered === 0 && (await recordFirstMessage(ctx.env, viewer.profileId, recipientId, draft.bodyText));
  const filtered = isFiltered(contact, draft.bodyText);

  const attachment = await resolveAttachment(ctx, draft.attachment, sendContext.key);
  const { low, high } = pairOf(viewer.profileId, recipientId);
  // Checked again in the transaction, so that concurrent requests cannot exceed the limit.
  const guards =
    contact.unanswered === null ? [] : [guardQuery(ctx.db, hasUnansweredLeft(viewer.profileId, recipientId))];
  const pair = { low, high, database: sendContext.database ?? (await assignDatabase(ctx, low, high)) };
  const target = { pair, recipientId, sector: null, attachment, flagged, filtered };
  const told = [tellReceiptsQuery(ctx, recipientId), lowerUnreadQuery(ctx.db, viewer.profileId, recipientId)];
  const before = [...guards, ...(sendContext.is_first_answer ? told : [])];
  const isFirst = sendContext.unanswered === 0 || sendContext.is_first_answer === 1;
  const { rows, main } = await changeMessages<MessageColumns[][], [RecipientSession[]]>(
    ctx,
    pair,
    [
      ...before,
      insertMessageQuery(ctx, clientId, draft, target),
      updateConversationsQuery(ctx, clientId, recipientId, filtered),
    ],
    [
      openSessionsQuery(ctx.db, [viewer.profileId, recipientId], viewer.profileId, now),
      ...(pair.database === 0
        ? attachmentQueries(ctx, { clientId, recipientId, draft, filtered, attachment })
        : // The album opens when the main database has the message.
          attachment?.type === "album"
          ? [discloseAlbumQuery(ctx, recipientId, sql`true`)]
          : []),
      ...(isFirst ? discloseFirstQueries(ctx, recipientId, "message") : []),
    ],
  ).catch((error: unknown) => {
    throw isGuardFailure(error) ? new AppError("UNANSWERED") : error;
  });
  const row = rows[before.length]?.[0];
  // Nothing was inserted: a concurrent retry won, or the first attempt stored the message and then failed.
  if (!row) return respondToRetry(ctx, await getByClientId(ctx, pair.database, clientId), Promise.resolve());
  deliverMessage(ctx, row, main[0]);
  if (sendContext.is_first_answer) ctx.waitUntil(tellReceipts(ctx, recipientId, rows[guards.length] ?? [], now));
  updateShownTo(ctx, recipientId, isFirst ? "message" : undefined);
  if (contact.unanswered === null && pair.database === 0) rememberAnswered(viewer.profileId, recipientId);
  return toMessage(row, viewer.profileId);
}

/** The database of a pair's messages, even while the recipient is invisible. */
async function getPairDatabase(ctx: MemberContext, recipientId: number): Promise<number> {
  const [[messagePair]] = await batch(ctx.d1, [pairDatabaseQuery(ctx.db, ctx.viewer.profileId, recipientId)]);
  return messagePair?.database ?? 0;
}

async function sendBroadcast(ctx: MemberContext, draft: Draft, clientId: string, sendContext: SendContext) {
  // Everybody in the area would see the sender, or a message by nobody.
  if (ctx.viewer.discreet) throw new AppError("DISCREET");
  if (sendContext.declined) await requireNotDeclined(ctx, true, "profilePicIds");
  await spendQuota(ctx, "broadcasts", ctx.viewer.profileId, { broadcasts: 1 });
  const sector = ownSector(ctx);
  const target = { pair: null, recipientId: null, sector, attachment: null, flagged: false, filtered: false };
  const [stored] = await insertMessageQuery(ctx, clientId, draft, target).execute();
  const row = stored ?? (await getByClientId(ctx, 0, clientId));
  const { profile_name, pic, own_pic } = sendContext;
  deliverBroadcast(ctx, { ...row, profile_name, pic }, own_pic, sector);
  return toMessage(row, ctx.viewer.profileId);
}

function findByClientId(ctx: MemberContext, database: number, clientId: string): Promise<MessageColumns | undefined> {
  return ctx.messageDatabases
    .open(database)
    .db.selectFrom("message as m")
    .select(MESSAGE_COLUMNS)
    .where("m.sender_id", "=", ctx.viewer.profileId)
    .where("m.client_id", "=", clientId)
    .executeTakeFirst();
}

async function getByClientId(ctx: MemberContext, database: number, clientId: string): Promise<MessageColumns> {
  const row = await findByClientId(ctx, database, clientId);
  if (!row) throw new Error("a message was not stored");
  return row;
}

/** Whether the sender may see the recipient now. True for broadcasts. */
async function isRecipientVisible(ctx: MemberContext, recipientId: number | null): Promise<boolean> {
  if (recipientId === null) return true;
  return hasRow(ctx.db.selectFrom("profile as p").select("p.id").where("p.id", "=", recipientId).where(visibleTo(ctx)));
}

/**
 * Loads everything that decides whether the message may be sent, in one query: the sender, and the recipient if the sender may see them.
 * Members may send their chat and public pictures unless staff hid them.
 */
function findSendContext(ctx: MemberContext, clientId: string, draft: Draft) {
  const { db, now } = ctx;
  const me = ctx.viewer.profileId;
  return (
    db
      .selectFrom("profile as me")
      .leftJoin("position as s", (join) =>
        join.onRef("s.profile_id", "=", "me.id").on("s.ts_effective_until", ">", now),
      )
      .leftJoin(selectRecipient(db, ctx, draft.recipientProfileId ?? 0, now).as("r"), (join) => join.onTrue())
      // Whether the main database has a message with this client id.
      .select(
        sql<0 | 1>`exists (select 1 from message m where m.sender_id = ${me} and m.client_id = ${clientId})`.as(
          "is_retry",
        ),
      )
      .select(sql<0 | 1>`${presentOn(ctx.brand, "me")}`.as("listed"))
      .select(["me.birthdate", "me.profile_name", firstPictureOf("me").as("pic"), ownFirstPicture("me").as("own_pic")])
      // How many of the draft's pictures the sender may send.
      .select(
        sql<number>`(select count(*) from picture c where c.id in (select value from json_each(${JSON.stringify(draft.profilePicIds)}))
        and c.profile_id = me.id and c.audience in ('chat', 'public') and ${isShownToOwner("c")})`.as("picture_count"),
      )
      .select(ownsUnsentUpload(me, draft, now).as("owns_upload"))
      // Queried only for drafts that show pictures; reads at most three rows.
      .select((showsPictures(draft) ? wasDeclinedOften(me, !draft.recipientProfileId, now) : sql<0>`0`).as("declined"))
      .select(CONTACT_COLUMNS)
      .where("me.id", "=", me)
      .executeTakeFirst()
  );
}
