import { readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { createSqliteD1 } from "@lambda/testing/d1";
import { memberInserter } from "@lambda/testing/members";
import { sql } from "kysely";
import { expect, it } from "vitest";
import { batch, openDatabase } from "../../platform/db/database.ts";
import type { MessageRow } from "../../platform/db/tables.ts";
import { syncContentQueries } from "./sync-content.ts";
import { attachOncePictureQuery, attachVoiceQuery, insertOnceVoiceQuery } from "./uploads.ts";

const ID = 2 ** 45 + 1;
const [ANN, BOB, PICTURE, VOICE] = [1, 2, 5, 6];
const ONCE = JSON.stringify({ type: "once", kind: "picture", tsExpires: "2030-01-01T00:00:00.000Z", tsOpened: null });
const ONCE_VOICE = ONCE.replace("picture", "voice");
const ORDINARY = JSON.stringify({ type: "voice", voiceId: VOICE, durationMs: 1, peaks: [] });

const CONTENT = {
  "a picture": { picture_ids: `[${PICTURE}]`, attachment: null, upload_id: null },
  "a recording": { picture_ids: "[]", attachment: ORDINARY, upload_id: null },
  "a picture to open once": { picture_ids: "[]", attachment: ONCE, upload_id: PICTURE },
  "a recording to open once": { picture_ids: "[]", attachment: ONCE_VOICE, upload_id: VOICE },
} as const;

const CHANGES = {
  stays: "",
  "is deleted by its reader": "ts_recipient_deleted = 9",
  "is deleted by its sender": "ts_sender_deleted = 9",
  "is deleted by both": "ts_recipient_deleted = 9, ts_sender_deleted = 9",
  "is unsent": "ts_unsent = 9, body_text = '', picture_ids = '[]', attachment = null",
  "is unsent by an invisible sender": "unsend_due = 1, ts_sender_deleted = 9, picture_ids = '[]', attachment = null",
};

function openMain(once: boolean) {
  const sqlite = new DatabaseSync(":memory:");
  sqlite.exec(readFileSync(fileURLToPath(new URL("../../../../../schema.sql", import.meta.url).href), "utf8"));
  const insertMember = memberInserter(sqlite);
  for (const id of [ANN, BOB]) insertMember({ id });
  sqlite.exec(`insert into picture (id, profile_id, audience, width, height, bytes, ts_created, ts_updated)
    values (${PICTURE}, ${ANN}, '${once ? "once" : "chat"}', 1, 1, 1, 1, 1)`);
  sqlite.exec(`insert into voice (id, profile_id, client_id, r2_key, mime, bytes, duration_ms, peaks, ts_created, ts_due)
    values (${VOICE}, ${ANN}, 'c', 'k', 'audio/webm', 1, 1, '[]', 1, 99)`);
  if (once) sqlite.exec(`insert into once_view (picture_id, sender_id, ts_due) values (${PICTURE}, ${ANN}, 99)`);
  return sqlite;
}

const stateOf = (sqlite: DatabaseSync) =>
  ["select * from message_picture", "select message_id, ts_due from voice", "select * from once_view"].map((query) =>
    sqlite.prepare(query).all(),
  );

const CASES = Object.keys(CONTENT).flatMap((content) =>
  [0, 1].flatMap((filtered) => Object.keys(CHANGES).map((change) => [content, filtered, change] as const)),
);

/** The triggers on `message` do this in the main database, the code does it for the others. */
it.each(CASES)(
  "%s leads to the same rows wherever its message is stored (filtered: %i), when the message %s",
  async (name, filtered, change) => {
    const content = CONTENT[name as keyof typeof CONTENT];
    const isOnce = content.attachment === ONCE;
    const row = `insert into message (id, sender_id, recipient_id, low_id, high_id, client_id, brand, ts_created, filtered,
    ts_recipient_deleted, picture_ids, attachment, upload_id) values (${ID}, ${ANN}, ${BOB}, ${ANN}, ${BOB}, 'c', 'ember', 1, ${filtered},
    ${filtered ? 1 : "null"}, ?, ?, ?)`;
    const values = [content.picture_ids, content.attachment, content.upload_id] as const;
    const update = CHANGES[change as keyof typeof CHANGES];

    const inMain = openMain(isOnce);
    inMain.prepare(row).run(...values);
    const d1 = createSqliteD1(inMain);
    const db = openDatabase(d1);
    const due = filtered ? 0 : 1 + 14 * 86_400_000;
    const sent = { messageId: sql<number>`${ID}`, senderId: ANN, recipientId: BOB, due };
    if (isOnce) await batch(d1, [attachOncePictureQuery(db, sent, PICTURE)]);
    if (content.attachment === ORDINARY || content.upload_id === VOICE)
      await batch(d1, [attachVoiceQuery(db, sent, VOICE)]);
    if (content.upload_id === VOICE) await batch(d1, [insertOnceVoiceQuery(db, sent, VOICE)]);
    if (update) inMain.exec(`update message set ${update}`);

    const [main, shard] = [openMain(isOnce), openMain(isOnce)];
    shard.prepare(row).run(...values);
    const copy = async () => {
      const message = shard.prepare("select * from message").get() as unknown as MessageRow;
      const copied = createSqliteD1(main);
      // Twice, because a copy may be repeated.
      for (const _ of [1, 2]) await batch(copied, syncContentQueries(openDatabase(copied), message));
    };
    await copy();
    if (update) shard.exec(`update message set ${update}`);
    await copy();
    expect(stateOf(main)).toEqual(stateOf(inMain));
  },
);
