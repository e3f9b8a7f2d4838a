/** Ties an upload to the message that it was made for. */
import { type RawBuilder, sql } from "kysely";
import { type Database, insertFrom, type Query } from "../../platform/db/database.ts";

interface SentMessage {
  readonly messageId: RawBuilder<number>;
  readonly senderId: number;
  readonly recipientId: number;
  /** Until when content that opens once may be opened. */
  readonly due: number;
}

export function attachVoiceQuery(db: Database, { messageId, senderId }: SentMessage, voiceId: number): Query {
  return db
    .updateTable("voice")
    .set({ message_id: messageId, ts_due: null })
    .where("id", "=", voiceId)
    .where("profile_id", "=", senderId)
    .where("message_id", "is", null);
}

export function attachOncePictureQuery(db: Database, sent: SentMessage, pictureId: number): Query {
  return db
    .updateTable("once_view")
    .set({ message_id: sent.messageId, reader_id: sent.recipientId, ts_due: sent.due })
    .where("picture_id", "=", pictureId)
    .where("sender_id", "=", sent.senderId)
    .where("message_id", "is", null)
    .where(isNoStill(sent.senderId, pictureId));
}

/** Stills of a check go with its verdict, which would take a picture from a reader who wants to report it. */
export function isNoStill(senderId: number, pictureId: number): RawBuilder<boolean> {
  return sql<boolean>`not exists (select 1 from person_check k, json_each(k.stills) still
    where k.profile_id = ${senderId} and still.value = ${pictureId})`;
}

/** Runs after attachVoiceQuery, and inserts nothing if that did not attach the recording to this message. */
export function insertOnceVoiceQuery(db: Database, sent: SentMessage, voiceId: number): Query {
  const voice = db
    .selectFrom("voice")
    .select(["id as voice_id", "message_id"])
    .where("id", "=", voiceId)
    .where("message_id", "=", sent.messageId);
  const { senderId, recipientId, due } = sent;
  const values = { sender_id: senderId, reader_id: recipientId, ts_due: due };
  return insertFrom(db, "once_view", voice, values).onConflict((conflict) => conflict.column("voice_id").doNothing());
}
