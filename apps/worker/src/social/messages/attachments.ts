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

type Draft = z.output<typeof MessageDraft>;

/** Shows pictures, now or when it is opened. */
export const bringsPictures = ({ profilePicIds, attachment }: Draft) =>
  profilePicIds.length > 0 || attachment?.type === "album" || attachment?.type === "once";

/** The field that brings them. */
export const shownField = ({ profilePicIds }: Draft) => (profilePicIds.length > 0 ? "profilePicIds" : "attachment");

/** Throws BAD_INPUT for a place without a position. */
export function attachmentOf(
  draft: Draft["attachment"],
  ownKey: CurveKey | null,
  now: number,
): MessageAttachment | null {
  if (!draft) return null;
  if (draft.type === "album") return { type: "album", tsExpires: draft.tsExpires ?? null };
  if (draft.type === "once") {
    return { type: "once", tsExpires: new Date(now + ONCE_KEPT_MS).toISOString(), tsOpened: null };
  }
  if (draft.exact) {
    // An explicit choice; still a cell of the grid (11 m), as nothing finer is ever stored.
    const { lat, lon } = cellCentre(snap(draft.lat, draft.lon, "exact"));
    return { type: "position", lat, lon, exact: true };
  }
  if (ownKey === null) throw new AppError("BAD_INPUT", { field: "attachment", message: "You report no position." });
  return { type: "position", ...pointOfKey(ownKey), exact: false };
}

/** Whether what the draft names to be opened once is the sender's, and goes with no other message. */
export function maySendOnce(senderId: number, draft: Draft, now: number): RawBuilder<0 | 1> {
  if (draft.attachment?.type !== "once") return sql<0 | 1>`1`;
  return sql<0 | 1>`exists (select 1 from once_view o where o.picture_id = ${draft.attachment.pictureId}
    and o.sender_id = ${senderId} and o.message_id is null and o.ts_due > ${now})`;
}

/** What else is written with a message that carries something. */
export function attachmentQueries(
  ctx: MemberContext,
  message: {
    readonly clientId: string;
    readonly recipientId: number;
    readonly draft: Draft;
    readonly filtered: boolean;
  },
): Compiled[] {
  const { attachment } = message.draft;
  if (attachment?.type === "album") {
    const until = attachment.tsExpires ? Date.parse(attachment.tsExpires) : null;
    return [upsertAlbumGrantQuery(ctx, message.recipientId, until)];
  }
  if (attachment?.type !== "once") return [];
  const me = ctx.viewer.profileId;
  return [
    ctx.db
      .updateTable("once_view")
      .set({
        message_id: (select) =>
          select
            .selectFrom("message")
            .select("id")
            .where("sender_id", "=", me)
            .where("client_id", "=", message.clientId),
        reader_id: message.recipientId,
        // Kept from its reader by a word of theirs, it will never be opened.
        ts_due: message.filtered ? 0 : ctx.now + ONCE_KEPT_MS,
      })
      .where("picture_id", "=", attachment.pictureId)
      .where("sender_id", "=", me)
      .where("message_id", "is", null)
      .compile(),
  ];
}
