/**
 * Sending: proved, stored in one batch, and only then acknowledged and delivered. A repeated send (the same client id) answers
 * the message of before and changes nothing. Refuses hidden and unnamed senders, recipients who are not visible, newcomers
 * whom the recipient's guard keeps out, and pictures that are not the sender's.
 */
import { cellCentre, snap } from "@lambda/contract/grid";
import type { Message, MessageAttachment, MessageDraft } from "@lambda/contract/messages";
import { sql } from "kysely";
import type { z } from "zod";
import { batch } from "../../db/batch.ts";
import type { MessageRow } from "../../db/tables.ts";
import { AppError } from "../../errors.ts";
import type { MemberContext } from "../../trpc.ts";
import { pointOfKey } from "../positions/curve.ts";
import { visibleTo } from "../visibility/visible.ts";
import { ownSector } from "./area.ts";
import { type OpenSession, openSessionsOf } from "./audience.ts";
import { deliverBroadcast, deliverMessage } from "./deliver.ts";
import { countOpening, limitBroadcasts, limitMessages } from "./limits.ts";
import { pairOf, toMessage } from "./mappers.ts";
import { MESSAGE } from "./queries.ts";
import { firstContactOf, mayWriteFirst } from "./rules.ts";

type Draft = z.output<typeof MessageDraft>;

interface SenderRow {
  readonly listed: number;
  readonly birthdate: string | null;
  readonly profile_name: string;
  readonly pic: number | null;
  readonly key: number | null;
  readonly pictures: number;
}

interface RecipientRow {
  readonly preferences: string;
  readonly key: number | null;
  readonly known: number;
  readonly matched: number;
}

/**
 * Throws HIDING, NOT_FOUND (no such visible recipient or picture), NOT_ALLOWED (the recipient's guard, no name yet) or
 * TOO_MANY_REQUESTS.
 */
export async function sendMessage(ctx: MemberContext, draft: Draft): Promise<Message> {
  const { viewer } = ctx;
  if (draft.senderProfileId !== undefined && draft.senderProfileId !== viewer.profileId)
    throw new AppError("NOT_ALLOWED");
  if (draft.recipientProfileId === viewer.profileId) throw new AppError("NOT_FOUND");
  const clientId = draft.clientId ?? crypto.randomUUID();
  // Counted while the database is asked. A repetition counts too, but is answered in any case.
  const counted = limitMessages(ctx.env, viewer.profileId);
  counted.catch(() => undefined);
  const [[before], [sender], [recipient]] = await batch<[MessageRow[], SenderRow[], RecipientRow[]]>(ctx.d1, [
    findByClientId(ctx, clientId),
    findSender(ctx, draft.profilePicIds),
    findRecipient(ctx, draft.recipientProfileId ?? 0),
  ]);
  if (before) {
    // Its first request may have died between storing and telling; devices know a message by its id.
    if (before.ts_delivered === null && before.ts_unsent === null) deliverMessage(ctx, before);
    return toMessage(before, viewer.profileId);
  }
  await counted;
  if (viewer.hidden) throw new AppError("HIDING");
  if (!sender?.listed) throw new AppError("NOT_ALLOWED", { message: "Give your profile a name on this site first." });
  if (sender.pictures !== new Set(draft.profilePicIds).size)
    throw new AppError("NOT_FOUND", { field: "profilePicIds" });
  return draft.recipientProfileId
    ? sendPersonal(ctx, draft, clientId, draft.recipientProfileId, sender, recipient)
    : sendBroadcast(ctx, draft, clientId, sender);
}

async function sendPersonal(
  ctx: MemberContext,
  draft: Draft,
  clientId: string,
  recipientId: number,
  sender: SenderRow,
  recipient: RecipientRow | undefined,
): Promise<Message> {
  const { viewer, now } = ctx;
  if (!recipient) throw new AppError("NOT_FOUND");
  const pointOf = (key: number | null) => (key === null ? null : pointOfKey(key));
  const newcomer = { birthdate: sender.birthdate, point: pointOf(sender.key), matched: recipient.matched === 1 };
  const opening = recipient.known === 0;
  if (opening && !mayWriteFirst(firstContactOf(recipient.preferences), newcomer, pointOf(recipient.key), now)) {
    throw new AppError("NOT_ALLOWED", { message: "He does not take a first message from you right now." });
  }
  const marked = opening && (await countOpening(ctx.env, viewer.profileId, draft.bodyText));

  const attachment = attachmentOf(draft.attachment, sender.key);
  const { low, high } = pairOf(viewer.profileId, recipientId);
  const results = await batch<unknown[][]>(ctx.d1, [
    insertMessage(ctx, clientId, draft, { recipientId, low, high, sector: null, attachment, flagged: marked }),
    touchConversation(ctx, clientId, viewer.profileId, recipientId, 0),
    touchConversation(ctx, clientId, recipientId, viewer.profileId, 1),
    ...(attachment?.type === "album" ? [grantAlbum(ctx, recipientId, attachment.tsExpires)] : []),
    openSessionsOf([viewer.profileId, recipientId], viewer.profileId, now),
    findByClientId(ctx, clientId),
  ]);
  const row = stored(results);
  deliverMessage(ctx, row, results[results.length - 2] as OpenSession[]);
  return toMessage(row, viewer.profileId);
}

async function sendBroadcast(ctx: MemberContext, draft: Draft, clientId: string, sender: SenderRow): Promise<Message> {
  const { viewer } = ctx;
  await limitBroadcasts(ctx.env, viewer.profileId);
  const sector = ownSector(ctx);
  const row = stored(
    await batch<unknown[][]>(ctx.d1, [
      insertMessage(ctx, clientId, draft, {
        recipientId: null,
        low: null,
        high: null,
        sector,
        attachment: null,
        flagged: false,
      }),
      findByClientId(ctx, clientId),
    ]),
  );
  deliverBroadcast(ctx, { ...row, profile_name: sender.profile_name, pic: sender.pic }, sector);
  return toMessage(row, viewer.profileId);
}

/** The last query of both batches reads the message back: the one just written, or that of a twin request. */
function stored(results: unknown[][]): MessageRow {
  const row = results[results.length - 1]?.[0] as MessageRow | undefined;
  if (!row) throw new Error("a message was not stored");
  return row;
}

function attachmentOf(draft: Draft["attachment"], ownKey: number | null): MessageAttachment | null {
  if (!draft) return null;
  if (draft.type === "album") return { type: "album", tsExpires: draft.tsExpires ?? null };
  if (draft.exact) {
    // His explicit choice; still a cell of the grid (11 m), as nothing finer is ever stored.
    const { lat, lon } = cellCentre(snap(draft.lat, draft.lon, "exact"));
    return { type: "position", lat, lon, exact: true };
  }
  if (ownKey === null) throw new AppError("BAD_INPUT", { field: "attachment", message: "You report no position." });
  return { type: "position", ...pointOfKey(ownKey), exact: false };
}

// ------------------------------------------------------------------------------------------------ queries

function findByClientId(ctx: MemberContext, clientId: string) {
  return sql<MessageRow>`select ${MESSAGE} from message m
    where m.sender_id = ${ctx.viewer.profileId} and m.client_id = ${clientId}`.compile(ctx.db);
}

/** The sender himself, and how many of these pictures are his to send: for chat or public, not hidden by the staff. */
function findSender(ctx: MemberContext, pictureIds: readonly number[]) {
  return sql<SenderRow>`
    select p.listed_on & ${ctx.brand.bit} <> 0 as listed, p.birthdate, p.profile_name,
      json_extract(p.pics_public, '$[0]') as pic, s.key,
      (select count(*) from picture c where c.id in (select value from json_each(${JSON.stringify(pictureIds)}))
         and c.profile_id = p.id and c.audience in ('chat', 'public') and c.hidden_by_staff = 0) as pictures
    from profile p left join position s on s.profile_id = p.id and s.ts_effective_until > ${ctx.now}
    where p.id = ${ctx.viewer.profileId}`.compile(ctx.db);
}

/** The recipient, if the sender may see him, and what stands between them already. */
function findRecipient(ctx: MemberContext, recipientId: number) {
  const me = ctx.viewer.profileId;
  return sql<RecipientRow>`
    select a.preferences, s.key,
      exists (select 1 from conversation c where c.profile_id = p.id and c.other_id = ${me}) as known,
      exists (select 1 from profile_like l where l.liker_id = p.id and l.liked_id = ${me} and l.like_type = 'LIKE')
        and exists (select 1 from profile_like l where l.liker_id = ${me} and l.liked_id = p.id and l.like_type = 'LIKE') as matched
    from profile p
    join account a on a.id = p.id
    left join position s on s.profile_id = p.id and s.ts_effective_until > ${ctx.now}
    where p.id = ${recipientId} and ${visibleTo(ctx)}`.compile(ctx.db);
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
      ts_created: ctx.now,
    })
    .onConflict((conflict) => conflict.columns(["sender_id", "client_id"]).doNothing())
    .compile();
}

/**
 * Makes a message the latest of one side's conversation. Counting by "is its id beyond the latest" makes it idempotent: a twin
 * of the same request adds nothing.
 */
function touchConversation(ctx: MemberContext, clientId: string, ownerId: number, otherId: number, unread: 0 | 1) {
  return sql`insert into conversation (profile_id, other_id, last_message_id, unread)
    select ${ownerId}, ${otherId}, m.id, ${unread} from message m
    where m.sender_id = ${ctx.viewer.profileId} and m.client_id = ${clientId} and m.ts_unsent is null
    on conflict (profile_id, other_id) do update set
      unread = unread + ${unread} * (excluded.last_message_id > last_message_id),
      last_message_id = max(last_message_id, excluded.last_message_id)`.compile(ctx.db);
}

function grantAlbum(ctx: MemberContext, memberId: number, expires: string | null) {
  const until = expires === null ? null : Date.parse(expires);
  return ctx.db
    .insertInto("album_grant")
    .values({
      owner_id: ctx.viewer.profileId,
      member_id: memberId,
      state: "granted",
      ts_expires: until,
      ts_created: ctx.now,
    })
    .onConflict((conflict) =>
      conflict
        .columns(["owner_id", "member_id"])
        .doUpdateSet({ state: "granted", ts_expires: until, ts_created: ctx.now }),
    )
    .compile();
}
