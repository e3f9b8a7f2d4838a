/**
 * Sending: proved, stored in one batch, and only then acknowledged and delivered. A repeated send (the same client id) answers
 * the message of before and changes nothing. Refuses hidden and unnamed senders, recipients who are not visible, newcomers
 * whom the recipient's guard keeps out, and pictures that are not the sender's.
 */
import type { Message, MessageDraft } from "@lambda/contract/messages";
import { sql } from "kysely";
import type { z } from "zod";
import { listedOn, visibleTo } from "../../members/visibility/visibility.ts";
import { ownSector } from "../../places/areas/area.ts";
import { batch } from "../../platform/db/batch.ts";
import { failedGuard, guardQuery } from "../../platform/db/guard.ts";
import { chooseShard } from "../../platform/db/shards.ts";
import { AppError } from "../../platform/errors.ts";
import type { OpenSession } from "../../platform/objects.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import { mayStillWrite } from "../contact/wrote-to.ts";
import { attachmentOf, attachmentQueries, bringsPictures, mayCarry, shownField } from "./attachments.ts";
import { openSessionsQuery } from "./audience.ts";
import { changeMessages, copyPair } from "./change.ts";
import { deliverBroadcast, deliverMessage } from "./deliver.ts";
import { type ContactRow, isHeld, recipientOf, toContact } from "./first-contact.ts";
import { limitBroadcasts, limitMessages, recordFirstMessage } from "./limits.ts";
import { type MessageColumns, pairOf, toMessage } from "./mappers.ts";
import { MESSAGE, shardQuery } from "./queries.ts";
import { isFiltered, mayWrite } from "./rules.ts";
import { insertMessageQuery, touchConversationsQuery } from "./store.ts";
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
  if (sending?.repeated) return repeatMessage(ctx, await getByClientId(ctx, 0, clientId), rateLimitCheck);
  try {
    await rateLimitCheck;
    return await sendNew(ctx, draft, clientId, sending);
  } catch (refusal) {
    // Beside the main database nobody asked yet whether it is there already, and one that is is not refused.
    if (ctx.shards.numbers.length === 0 || !(refusal instanceof AppError)) throw refusal;
    const shard = sending?.shard ?? (await getShard(ctx, draft.recipientProfileId ?? 0));
    const before = shard !== 0 && (await findByClientId(ctx, shard, clientId));
    if (!before) throw refusal;
    await copyPair(ctx, { low: before.low_id!, high: before.high_id!, shard });
    return repeatMessage(ctx, before, rateLimitCheck);
  }
}

/** Answers what was stored before, and tells of it once more: its first request may have died between storing and telling. */
async function repeatMessage(
  ctx: MemberContext,
  before: MessageColumns,
  rateLimitCheck: Promise<unknown>,
): Promise<Message> {
  const [isShown, isWithin] = await Promise.all([
    isShownTo(ctx, before.recipient_id),
    rateLimitCheck.then(
      () => true,
      () => false,
    ),
  ]);
  // Devices know a message by its id.
  if (isShown && isWithin && before.ts_delivered === null && before.ts_unsent === null) deliverMessage(ctx, before);
  return toMessage(before, ctx.viewer.profileId, isShown);
}

async function sendNew(
  ctx: MemberContext,
  draft: Draft,
  clientId: string,
  sending: SendContext | undefined,
): Promise<Message> {
  if (ctx.viewer.hidden) throw new AppError("HIDING");
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
  const contact = toContact(sending, await isHeld(ctx.shards, sending, viewer.profileId, recipientId));
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
  const pair = { low, high, shard: sending.shard ?? (await settlePair(ctx, low, high)) };
  const place = { pair, recipientId, sector: null, attachment, flagged: marked, filtered };
  const { rows, main } = await changeMessages<[unknown[], MessageColumns[], unknown[]], [OpenSession[]]>(
    ctx,
    pair,
    [
      // Counted again in the transaction, so that simultaneous requests cannot exceed the limit.
      guardQuery(
        ctx.db,
        contact.unanswered === null ? sql<boolean>`true` : mayStillWrite(viewer.profileId, recipientId),
      ),
      insertMessageQuery(ctx, clientId, draft, place),
      touchConversationsQuery(ctx, clientId, recipientId, filtered),
    ],
    [
      openSessionsQuery(ctx.db, [viewer.profileId, recipientId], viewer.profileId, now),
      ...(pair.shard === 0 ? attachmentQueries(ctx, { clientId, recipientId, draft, filtered, attachment }) : []),
    ],
  ).catch((error: unknown) => {
    throw failedGuard(error) ? new AppError("UNANSWERED") : error;
  });
  const row = rows[1][0];
  // Nothing inserted: a twin of this request was quicker, or its first request died.
  if (!row) return repeatMessage(ctx, await getByClientId(ctx, pair.shard, clientId), Promise.resolve());
  deliverMessage(ctx, row, main[0]);
  return toMessage(row, viewer.profileId);
}

/** Also of a pair of which the recipient is out of sight now. */
async function getShard(ctx: MemberContext, recipientId: number): Promise<number> {
  const [[talk]] = await batch<[{ shard: number }[]]>(ctx.d1, [shardQuery(ctx.db, ctx.viewer.profileId, recipientId)]);
  return talk?.shard ?? 0;
}

/** Writes down where a new pair's messages will be. Of two who write to each other at once, the first one chooses. */
async function settlePair(ctx: MemberContext, low: number, high: number): Promise<number> {
  const { numbers } = ctx.shards;
  if (numbers.length === 0) return 0;
  const { shard } = await ctx.db
    .insertInto("talk")
    .values({ low_id: low, high_id: high, shard: await chooseShard(ctx.db, numbers) })
    .onConflict((conflict) =>
      conflict.columns(["low_id", "high_id"]).doUpdateSet((old) => ({ shard: old.ref("talk.shard") })),
    )
    .returning("shard")
    .executeTakeFirstOrThrow();
  return shard;
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
  const place = { pair: null, recipientId: null, sector, attachment: null, flagged: false, filtered: false };
  const { rows } = await ctx.db.executeQuery<MessageColumns>(insertMessageQuery(ctx, clientId, draft, place));
  const row = rows[0] ?? (await getByClientId(ctx, 0, clientId));
  deliverBroadcast(ctx, { ...row, profile_name: sending.profile_name, pic: sending.pic }, sector);
  return toMessage(row, viewer.profileId);
}

// ------------------------------------------------------------------------------------------------ queries

function findByClientId(ctx: MemberContext, shard: number, clientId: string): Promise<MessageColumns | undefined> {
  return ctx.shards
    .open(shard)
    .db.selectFrom("message as m")
    .select(MESSAGE)
    .where("m.sender_id", "=", ctx.viewer.profileId)
    .where("m.client_id", "=", clientId)
    .executeTakeFirst();
}

async function getByClientId(ctx: MemberContext, shard: number, clientId: string): Promise<MessageColumns> {
  const row = await findByClientId(ctx, shard, clientId);
  if (!row) throw new Error("a message was not stored");
  return row;
}

/** The sender may see its recipient now, or it is a broadcast. */
async function isShownTo(ctx: MemberContext, recipientId: number | null): Promise<boolean> {
  if (recipientId === null) return true;
  const row = await ctx.db
    .selectFrom("profile as p")
    .select("p.id")
    .where("p.id", "=", recipientId)
    .where(visibleTo(ctx))
    .executeTakeFirst();
  return row !== undefined;
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
      .select(["s.key", "r.preferences", "r.recipient_key", "r.unanswered", "r.matched", "r.held", "r.shard"])
      .where("me.id", "=", me)
      .executeTakeFirst()
  );
}
