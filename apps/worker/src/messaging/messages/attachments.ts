/** What a new message carries besides text and pictures: a position, an album, a recording, or content that opens once. */
import { ONCE_RETENTION_MS } from "@lambda/contract/limits";
import type { MessageAttachment, MessageDraft } from "@lambda/contract/messages";
import { type CurveKey, pointOfKey } from "@lambda/geo/curve";
import { gridCellCenter, snapToGrid } from "@lambda/geo/grid";
import { type RawBuilder, sql } from "kysely";
import type { z } from "zod";
import type { Query } from "../../platform/db/database.ts";
import { AppError } from "../../platform/errors.ts";
import { toIso } from "../../platform/iso-time.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import { discloseAlbumQuery } from "../../visibility/statements/disclosures.ts";
import { upsertAlbumGrantQuery } from "../albums/queries.ts";
import { attachOncePictureQuery, attachVoiceQuery, insertOnceVoiceQuery, isNoStill } from "./uploads.ts";

export type Draft = z.output<typeof MessageDraft>;

/** Whether the draft shows the recipient pictures, at once or when they open it. */
export const showsPictures = ({ profilePicIds, attachment }: Draft) =>
  profilePicIds.length > 0 || attachment?.type === "album" || attachment?.type === "once";

/** The draft's field that holds those pictures, for error messages. */
export const picturesField = ({ profilePicIds }: Draft) => (profilePicIds.length > 0 ? "profilePicIds" : "attachment");

/** The attachment as it is stored. Throws BAD_INPUT when a member without a position shares it, and NOT_FOUND for a recording that is gone. */
export async function resolveAttachment(
  { db, now }: Pick<MemberContext, "db" | "now">,
  draft: Draft["attachment"],
  ownKey: CurveKey | null,
): Promise<MessageAttachment | null> {
  if (!draft) return null;
  if (draft.type === "album") return { type: "album", tsExpires: draft.tsExpires ?? null };
  if (draft.type === "once") return onceAttachment("picture", now);
  if (draft.type === "voice") {
    const voice = await db
      .selectFrom("voice")
      .select(["once", "duration_ms", "peaks"])
      .where("id", "=", draft.voiceId)
      .executeTakeFirst();
    if (!voice) throw new AppError("NOT_FOUND", { field: "attachment" });
    if (voice.once) return onceAttachment("voice", now);
    const peaks = JSON.parse(voice.peaks) as number[];
    return { type: "voice", voiceId: draft.voiceId, durationMs: voice.duration_ms, peaks };
  }
  if (draft.exact) {
    // Even an exact position is snapped to the 11 m grid: nothing finer is ever stored.
    const { lat, lon } = gridCellCenter(snapToGrid(draft.lat, draft.lon, "exact"));
    return { type: "position", lat, lon, exact: true };
  }
  if (ownKey === null) throw new AppError("BAD_INPUT", { field: "attachment", message: "You report no position." });
  return { type: "position", ...pointOfKey(ownKey), exact: false };
}

function onceAttachment(kind: "picture" | "voice", now: number): MessageAttachment {
  return { type: "once", kind, tsExpires: toIso(now + ONCE_RETENTION_MS), tsOpened: null };
}

/** Whether the upload in the draft's attachment belongs to the sender and no other message carries it yet. True without an upload. */
export function ownsUnsentUpload(senderId: number, { attachment }: Draft, now: number): RawBuilder<0 | 1> {
  if (attachment?.type === "voice") {
    return sql<0 | 1>`exists (select 1 from voice v where v.id = ${attachment.voiceId}
      and v.profile_id = ${senderId} and v.message_id is null and v.ts_due > ${now})`;
  }
  if (attachment?.type !== "once") return sql<0 | 1>`1`;
  return sql<0 | 1>`exists (select 1 from once_view o where o.picture_id = ${attachment.pictureId}
    and o.sender_id = ${senderId} and o.message_id is null and o.ts_due > ${now}
    and ${isNoStill(senderId, attachment.pictureId)})`;
}

interface SentContent {
  readonly clientId: string;
  readonly recipientId: number;
  readonly draft: Draft;
  readonly filtered: boolean;
  /** As stored with the message. */
  readonly attachment: MessageAttachment | null;
}

/** The id of the upload in an attachment that opens once: the stored attachment itself must not name it. */
export function uploadIdOf({ attachment }: Draft, sent: MessageAttachment | null): number | null {
  if (sent?.type !== "once") return null;
  if (attachment?.type === "once") return attachment.pictureId;
  return attachment?.type === "voice" ? attachment.voiceId : null;
}

/** The writes that go with a message in the main database: the album grant, or the link from the upload to the message. */
export function attachmentQueries(ctx: MemberContext, message: SentContent): Query[] {
  const { draft, attachment, recipientId } = message;
  const { db, viewer, now } = ctx;
  if (attachment?.type === "album") {
    const expires = attachment.tsExpires === null ? null : Date.parse(attachment.tsExpires);
    return [
      upsertAlbumGrantQuery(ctx, recipientId, expires, { withheld: message.filtered }),
      discloseAlbumQuery(ctx, recipientId),
    ];
  }
  // The recipient never sees a filtered message, so its content can be deleted at once.
  const due = message.filtered ? 0 : now + ONCE_RETENTION_MS;
  const senderId = viewer.profileId;
  const messageId = sql<number>`(select id from message where sender_id = ${senderId} and client_id = ${message.clientId})`;
  const sent = { messageId, senderId, recipientId, due };
  if (draft.attachment?.type === "once") return [attachOncePictureQuery(db, sent, draft.attachment.pictureId)];
  if (draft.attachment?.type !== "voice") return [];
  const { voiceId } = draft.attachment;
  const voiceQuery = attachVoiceQuery(db, sent, voiceId);
  return attachment?.type === "once" ? [voiceQuery, insertOnceVoiceQuery(db, sent, voiceId)] : [voiceQuery];
}
