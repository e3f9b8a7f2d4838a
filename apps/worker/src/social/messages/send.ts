/**
 * Sending: proved, stored in one batch, and only then acknowledged and delivered. A repeated send (the same client id) answers
 * the message of before and changes nothing. Refuses hidden and unnamed senders, recipients who are not visible, newcomers
 * whom the recipient's guard keeps out, and pictures that are not the sender's.
 */
import type { Message, MessageAttachment, MessageDraft } from "@lambda/contract/messages";
import { sql } from "kysely";
import type { z } from "zod";
import { listedOn, visibleTo } from "../../members/visibility/visibility.ts";
import { ownSector } from "../../places/areas/area.ts";
import { batch } from "../../platform/db/batch.ts";
import { failedGuard, guardQuery } from "../../platform/db/guard.ts";
import { AppError } from "../../platform/errors.ts";
import type { OpenSession } from "../../platform/objects.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import { mayStillWrite } from "../contact/wrote-to.ts";
import { attachmentOf, attachmentQueries, bringsPictures, mayCarry, shownField } from "./attachments.ts";
import { openSessionsQuery } from "./audience.ts";
import { deliverBroadcast, deliverMessage } from "./deliver.ts";
import { type ContactRow, recipientOf, toContact } from "./first-contact.ts";
import { limitBroadcasts, limitMessages, recordFirstMessage } from "./limits.ts";
import { type MessageColumns, pairOf, toMessage } from "./mappers.ts";
import { MESSAGE } from "./queries.ts";
import { isFiltered, mayWrite } from "./rules.ts";
import { mustAskFirst } from "./unasked-pictures.ts";

type Draft = z.output<typeof MessageDraft>;

/** The sender, and the recipient if the sender may see them. */
interface SendContext extends ContactRow {
  /** A message with this client id is there already. */
  readonly repeated: number;
  readonly listed: number;
  readonly profile_name: string;
  readonly pic: number | null;
  /** How many of the pictures the sender may send. */
  readonly pictures: number;
  /** What was uploaded for this message is theirs, and goes with no other. */
  readonly carries: 0 | 1;
  /** The sender's pictures were declined too often for more to be sent unasked. */
  readonly declined: 0 | 1;
}

/**
 * Throws HIDING, NOT_FOUND (no such visible recipient or picture), NOT_ALLOWED (the recipient's guard, no name yet), UNANSWERED,
 * ASK_FIRST, OPENING_REPEATED
 * or TOO_MANY_REQUESTS.
 */
export async function sendMessage(ctx: MemberContext, draft: Draft): Promise<Message> {
  const { viewer } = ctx;
  if (draft.senderProfileId !== undefined && draft.senderProfileId !== viewer.profileId)
    throw new AppError("NOT_ALLOWED");
  if (draft.recipientProfileId === viewer.profileId) throw new AppError("NOT_FOUND");
  const clientId = draft.clientId ?? crypto.randomUUID();
  // Counted while the database is asked. A repetition counts too: beyond the limit it is answered, but not delivered again.
  const rateLimitCheck = limitMessages(ctx, draft.bodyText);
  rateLimitCheck.catch(() => undefined);
  const sending = await findSendContext(ctx, clientId, draft);
  if (sending?.repeated) {
    const before = await findByClientId(ctx, clientId);
    const shown = before.shown === 1;
    const within = await rateLimitCheck.then(
      () => true,
      () => false,
    );
    // Its first request may have died between storing and telling; devices know a message by its id.
    if (shown && within && before.ts_delivered === null && before.ts_unsent === null) deliverMessage(ctx, before);
    return toMessage(before, viewer.profileId, shown);
  }
  await rateLimitCheck;
  if (viewer.hidden) throw new AppError("HIDING");
  if (!sending?.listed) throw new AppError("NOT_ALLOWED", { message: "Give your profile a name on this site first." });
  if (sending.pictures !== new Set(draft.profilePicIds).size)
    throw new AppError("NOT_FOUND", { field: "profilePicIds" });
  if (!sending.carries) throw new AppError("NOT_FOUND", { field: "attachment" });
  return draft.recipientProfileId
    ? sendPersonal(ctx, draft, clientId, draft.recipientProfileId, sending)
    : sendBroadcast(ctx, draft, clientId, sending);
}

async function sendPersonal(
  ctx: MemberContext,
  draft: Draft,
  clientId: string,
  recipientId: number,
  sending: SendContext,
): Promise<Message> {
  const { viewer, now } = ctx;
  const contact = toContact(sending);
  if (!contact) throw new AppError("NOT_FOUND");
  const may = mayWrite(contact, now);
  if (may === "unanswered") throw new AppError("UNANSWERED");
  if (contact.unanswered !== null && sending.declined) throw new AppError("ASK_FIRST", { field: shownField(draft) });
  if (may === "guarded") {
    throw new AppError("NOT_ALLOWED", { message: "He does not take a first message from you right now." });
  }
  const marked =
    contact.unanswered === 0 && (await recordFirstMessage(ctx.env, viewer.profileId, recipientId, draft.bodyText));
  const filtered = isFiltered(contact, draft.bodyText);

  const attachment = await attachmentOf(ctx, draft.attachment, sending.key);
  const { low, high } = pairOf(viewer.profileId, recipientId);
  const [, inserted, sessions] = await batch<[unknown[], MessageColumns[], OpenSession[], ...unknown[][]]>(ctx.d1, [
    // Counted again in the transaction, so that simultaneous requests cannot exceed the limit.
    guardQuery(ctx.db, contact.unanswered === null ? sql<boolean>`true` : mayStillWrite(viewer.profileId, recipientId)),
    insertMessage(ctx, clientId, draft, {
      recipientId,
      low,
      high,
      sector: null,
      attachment,
      flagged: marked,
      filtered,
    }).compile(),
    openSessionsQuery(ctx.db, [viewer.profileId, recipientId], viewer.profileId, now),
    touchConversationsQuery(ctx, clientId, recipientId, filtered),
    ...attachmentQueries(ctx, { clientId, recipientId, draft, filtered, attachment }),
  ]).catch((error: unknown) => {
    throw failedGuard(error) ? new AppError("UNANSWERED") : error;
  });
  // Nothing inserted: a twin of this request was quicker.
  const row = inserted[0] ?? (await findByClientId(ctx, clientId));
  deliverMessage(ctx, row, sessions);
  return toMessage(row, viewer.profileId);
}

async function sendBroadcast(
  ctx: MemberContext,
  draft: Draft,
  clientId: string,
  sending: SendContext,
): Promise<Message> {
  const { viewer } = ctx;
  if (sending.declined) throw new AppError("ASK_FIRST", { field: "profilePicIds" });
  await limitBroadcasts(ctx);
  const sector = ownSector(ctx);
  const place = { recipientId: null, low: null, high: null, sector, attachment: null, flagged: false, filtered: false };
  const inserted = await insertMessage(ctx, clientId, draft, place).executeTakeFirst();
  const row = inserted ?? (await findByClientId(ctx, clientId));
  deliverBroadcast(ctx, { ...row, profile_name: sending.profile_name, pic: sending.pic }, sector);
  return toMessage(row, viewer.profileId);
}

// ------------------------------------------------------------------------------------------------ queries

/** shown: the sender may see its recipient now, or it is a broadcast. */
async function findByClientId(ctx: MemberContext, clientId: string): Promise<MessageColumns & { shown: 0 | 1 }> {
  const row = await ctx.db
    .selectFrom("message as m")
    .select(MESSAGE)
    .select(
      sql<0 | 1>`m.recipient_id is null
        or exists (select 1 from profile p where p.id = m.recipient_id and ${visibleTo(ctx)})`.as("shown"),
    )
    .where("m.sender_id", "=", ctx.viewer.profileId)
    .where("m.client_id", "=", clientId)
    .executeTakeFirst();
  if (!row) throw new Error("a message was not stored");
  return row;
}

/** All that decides about a sending, in one query. Members may send pictures of theirs for chat or public ones, not hidden by staff. */
function findSendContext(ctx: MemberContext, clientId: string, draft: Draft): Promise<SendContext | undefined> {
  const { db, now } = ctx;
  const me = ctx.viewer.profileId;
  return (
    db
      .selectFrom("profile as me")
      .leftJoin("position as s", (join) =>
        join.onRef("s.profile_id", "=", "me.id").on("s.ts_effective_until", ">", now),
      )
      .leftJoin(recipientOf(db, ctx, draft.recipientProfileId ?? 0, now).as("r"), (join) => join.onTrue())
      .select(
        sql<0 | 1>`exists (select 1 from message m where m.sender_id = ${me} and m.client_id = ${clientId})`.as(
          "repeated",
        ),
      )
      .select(sql<0 | 1>`${listedOn(ctx.brand, "me")}`.as("listed"))
      .select(["me.birthdate", "me.profile_name", sql<number | null>`json_extract(me.pics_public, '$[0]')`.as("pic")])
      .select(
        sql<number>`(select count(*) from picture c where c.id in (select value from json_each(${JSON.stringify(draft.profilePicIds)}))
        and c.profile_id = me.id and c.audience in ('chat', 'public') and c.hidden_by_staff <> 1)`.as("pictures"),
      )
      .select(mayCarry(me, draft, now).as("carries"))
      // Asked only where pictures are shown: three rows at the most.
      .select(bringsPictures(draft) ? mustAskFirst(me, now).as("declined") : sql<0>`0`.as("declined"))
      .select(["s.key", "r.preferences", "r.recipient_key", "r.unanswered", "r.matched", "r.held"])
      .where("me.id", "=", me)
      .executeTakeFirst()
  );
}

function insertMessage(
  ctx: MemberContext,
  clientId: string,
  draft: Draft,
  to: {
    recipientId: number | null;
    low: number | null;
    high: number | null;
    sector: number | null;
    attachment: MessageAttachment | null;
    flagged: boolean;
    filtered: boolean;
  },
) {
  return ctx.db
    .insertInto("message")
    .values({
      sender_id: ctx.viewer.profileId,
      recipient_id: to.recipientId,
      low_id: to.low,
      high_id: to.high,
      client_id: clientId,
      body_text: draft.bodyText,
      picture_ids: JSON.stringify([...new Set(draft.profilePicIds)]),
      attachment: to.attachment && JSON.stringify(to.attachment),
      brand: ctx.brand.id,
      sector: to.sector,
      flagged: to.flagged ? 1 : 0,
      filtered: to.filtered ? 1 : 0,
      // Out of the recipient's sight like one that they deleted; their answers leave such a message out.
      ts_recipient_deleted: to.filtered ? ctx.now : null,
      ts_created: ctx.now,
    })
    .onConflict((conflict) => conflict.columns(["sender_id", "client_id"]).doNothing())
    .returningAll();
}

/**
 * Makes a message the latest of both sides' conversation, unread on the recipient's. Counting by "is its id beyond the latest"
 * makes it idempotent: a twin of the same request adds nothing. A filtered one is no news on the recipient's side.
 */
function touchConversationsQuery(ctx: MemberContext, clientId: string, recipientId: number, filtered: boolean) {
  const me = ctx.viewer.profileId;
  const theirs = filtered ? sql`` : sql`, (${recipientId}, ${me}, 1)`;
  const sides = sql<{ column1: number; column2: number; column3: number }>`(values
    (${me}, ${recipientId}, 0)${theirs})`.as("side");
  return ctx.db
    .insertInto("conversation")
    .columns(["profile_id", "other_id", "last_message_id", "unread"])
    .expression((select) =>
      select
        .selectFrom("message as m")
        .crossJoin(sides)
        .select(["side.column1 as profile_id", "side.column2 as other_id", "m.id as last_message_id"])
        .select("side.column3 as unread")
        .where("m.sender_id", "=", me)
        .where("m.client_id", "=", clientId)
        .where("m.ts_unsent", "is", null),
    )
    .onConflict((conflict) =>
      conflict.columns(["profile_id", "other_id"]).doUpdateSet({
        unread: sql<number>`unread + excluded.unread * (excluded.last_message_id > last_message_id)`,
        last_message_id: sql<number>`max(last_message_id, excluded.last_message_id)`,
      }),
    )
    .compile();
}
