/** What was uploaded for one message goes with it. */
import { type RawBuilder, sql } from "kysely";
import type { Compiled } from "../../platform/db/batch.ts";
import type { Database } from "../../platform/db/database.ts";

interface Sent {
  readonly messageId: RawBuilder<number>;
  readonly senderId: number;
  readonly recipientId: number;
  /** Until when what opens once may be opened. */
  readonly due: number;
}

export function sendVoiceQuery(db: Database, { messageId, senderId }: Sent, voiceId: number): Compiled {
  return db
    .updateTable("voice")
    .set({ message_id: messageId, ts_due: null })
    .where("id", "=", voiceId)
    .where("profile_id", "=", senderId)
    .where("message_id", "is", null)
    .compile();
}

export function sendPictureOnceQuery(db: Database, sent: Sent, pictureId: number): Compiled {
  return db
    .updateTable("once_view")
    .set({ message_id: sent.messageId, reader_id: sent.recipientId, ts_due: sent.due })
    .where("picture_id", "=", pictureId)
    .where("sender_id", "=", sent.senderId)
    .where("message_id", "is", null)
    .compile();
}

/** Behind the one that sends the recording: of another message it makes nothing. */
export function sendVoiceOnceQuery(db: Database, sent: Sent, voiceId: number): Compiled {
  return db
    .insertInto("once_view")
    .columns(["voice_id", "message_id", "sender_id", "reader_id", "ts_due"])
    .expression((select) =>
      select
        .selectFrom("voice")
        .select(["id as voice_id", "message_id"])
        .select([
          sql.val(sent.senderId).as("sender_id"),
          sql.val(sent.recipientId).as("reader_id"),
          sql.val(sent.due).as("ts_due"),
        ])
        .where("id", "=", voiceId)
        .where("message_id", "=", sent.messageId),
    )
    .onConflict((conflict) => conflict.column("voice_id").doNothing())
    .compile();
}
