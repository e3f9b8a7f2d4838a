/** What a message carries beyond text and pictures, as it is sent. */
import { ONCE_KEPT_MS } from "@lambda/contract/limits";
import type { MessageAttachment, MessageDraft } from "@lambda/contract/messages";
import type { CurveKey } from "@lambda/geo/curve";
import { pointOfKey } from "@lambda/geo/curve";
import { cellCentre, snap } from "@lambda/geo/grid";
import { type RawBuilder, sql } from "kysely";
import type { z } from "zod";
import type { Compiled } from "../../platform/db/batch.ts";
import { AppError } from "../../platform/errors.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import { upsertAlbumGrantQuery } from "../albums/queries.ts";
import { sendPictureOnceQuery, sendVoiceOnceQuery, sendVoiceQuery } from "./uploads.ts";

type Draft = z.output<typeof MessageDraft>;

/** Shows pictures, now or when it is opened. */
export const bringsPictures = ({ profilePicIds, attachment }: Draft) =>
  profilePicIds.length > 0 || attachment?.type === "album" || attachment?.type === "once";

/** The field that brings them. */
export const shownField = ({ profilePicIds }: Draft) => (profilePicIds.length > 0 ? "profilePicIds" : "attachment");

/** Throws BAD_INPUT for a place without a position, and NOT_FOUND for a recording that is gone. */
export async function attachmentOf(
  { db, now }: Pick<MemberContext, "db" | "now">,
  draft: Draft["attachment"],
  ownKey: CurveKey | null,
): Promise<MessageAttachment | null> {
  if (!draft) return null;
  if (draft.type === "album") return { type: "album", tsExpires: draft.tsExpires ?? null };
  if (draft.type === "once") return opensOnce("picture", now);
  if (draft.type === "voice") {
    const voice = await db
      .selectFrom("voice")
      .select(["once", "duration_ms", "peaks"])
      .where("id", "=", draft.voiceId)
      .executeTakeFirst();
    if (!voice) throw new AppError("NOT_FOUND", { field: "attachment" });
    if (voice.once) return opensOnce("voice", now);
    const peaks = JSON.parse(voice.peaks) as number[];
    return { type: "voice", voiceId: draft.voiceId, durationMs: voice.duration_ms, peaks };
  }
  if (draft.exact) {
    // An explicit choice; still a cell of the grid (11 m), as nothing finer is ever stored.
    const { lat, lon } = cellCentre(snap(draft.lat, draft.lon, "exact"));
    return { type: "position", lat, lon, exact: true };
  }
  if (ownKey === null) throw new AppError("BAD_INPUT", { field: "attachment", message: "You report no position." });
  return { type: "position", ...pointOfKey(ownKey), exact: false };
}

function opensOnce(kind: "picture" | "voice", now: number): MessageAttachment {
  return { type: "once", kind, tsExpires: new Date(now + ONCE_KEPT_MS).toISOString(), tsOpened: null };
}

/** Whether what was uploaded for one message alone is the sender's, and goes with no other. */
export function mayCarry(senderId: number, { attachment }: Draft, now: number): RawBuilder<0 | 1> {
  if (attachment?.type === "voice") {
    return sql<0 | 1>`exists (select 1 from voice v where v.id = ${attachment.voiceId}
      and v.profile_id = ${senderId} and v.message_id is null and v.ts_due > ${now})`;
  }
  if (attachment?.type !== "once") return sql<0 | 1>`1`;
  return sql<0 | 1>`exists (select 1 from once_view o where o.picture_id = ${attachment.pictureId}
    and o.sender_id = ${senderId} and o.message_id is null and o.ts_due > ${now})`;
}

interface Carried {
  readonly clientId: string;
  readonly recipientId: number;
  readonly draft: Draft;
  readonly filtered: boolean;
  /** As the message has it. */
  readonly attachment: MessageAttachment | null;
}

/** The upload that a message alone carries, where its attachment does not say which. */
export function carriedBy({ attachment }: Draft, sent: MessageAttachment | null): number | null {
  if (sent?.type !== "once") return null;
  if (attachment?.type === "once") return attachment.pictureId;
  return attachment?.type === "voice" ? attachment.voiceId : null;
}

/** What else is written with a message of the main database that carries something. */
export function attachmentQueries(ctx: MemberContext, message: Carried): Compiled[] {
  const { draft, attachment, recipientId } = message;
  const { db, viewer, now } = ctx;
  if (attachment?.type === "album") {
    return [
      upsertAlbumGrantQuery(ctx, recipientId, attachment.tsExpires === null ? null : Date.parse(attachment.tsExpires)),
    ];
  }
  // Kept from its reader by a word of theirs, it will never be opened.
  const due = message.filtered ? 0 : now + ONCE_KEPT_MS;
  const senderId = viewer.profileId;
  const messageId = sql<number>`(select id from message where sender_id = ${senderId} and client_id = ${message.clientId})`;
  const sent = { messageId, senderId, recipientId, due };
  if (draft.attachment?.type === "once") return [sendPictureOnceQuery(db, sent, draft.attachment.pictureId)];
  if (draft.attachment?.type !== "voice") return [];
  const { voiceId } = draft.attachment;
  const carried = sendVoiceQuery(db, sent, voiceId);
  return attachment?.type === "once" ? [carried, sendVoiceOnceQuery(db, sent, voiceId)] : [carried];
}
