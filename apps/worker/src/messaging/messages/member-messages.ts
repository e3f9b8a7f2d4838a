/** All messages of one member, for exporting their data and purging their account. */
import { BULK_CHUNK_ROWS } from "@lambda/contract/limits";
import { HIDDEN_PROFILE_ID } from "@lambda/contract/messages";
import { type RawBuilder, sql } from "kysely";
import { batch, type Database, itemsOf } from "../../platform/db/database.ts";
import {
  type MessageDatabase,
  type MessageDatabases,
  openMessageDatabases,
} from "../../platform/db/message-databases.ts";
import type { Env } from "../../platform/env.ts";
import { forEachDespiteErrors } from "../../platform/for-each.ts";
import { listBlockedIds } from "../../visibility/blocks/queries.ts";
import { memberVisible, notBlockedBy, type ViewerContext, visibleTo } from "../../visibility/visibility.ts";
import { otherIdOf } from "./mappers.ts";
import { listDatabasesOf } from "./queries.ts";
import { deleteContentQueries } from "./sync-content.ts";

/** A message as its sender or recipient exports it. */
type OwnMessage = Awaited<ReturnType<ReturnType<typeof selectOwnMessages>["execute"]>>[number];

/** SQL conditions on `message m`: whose identity the viewer may see. */
interface OtherVisibility {
  readonly isRecipientVisible: RawBuilder<boolean>;
  readonly isSenderVisible: RawBuilder<boolean>;
  readonly isSenderNotBlocked: RawBuilder<boolean>;
}

/** At most one chunk of messages after an id. Members whom the viewer may not see now are not identified. */
export async function listOwnMessages(
  messageDatabases: MessageDatabases,
  id: number,
  after: number,
  ctx: ViewerContext,
): Promise<OwnMessage[]> {
  const main = messageDatabases.open(0).db;
  const visibility = {
    isRecipientVisible: sql<boolean>`(m.recipient_id is null or ${memberVisible(ctx, sql.ref("m.recipient_id"))})`,
    isSenderVisible: memberVisible(ctx, sql.ref("m.sender_id")),
    isSenderNotBlocked: notBlockedBy(id, sql.ref("m.sender_id")),
  };
  const inMain = selectOwnMessages(main, id, after, visibility).execute();
  const others = await listDatabasesOf(main, messageDatabases.numbers, id);
  if (others.length === 0) return inMain;
  const blocked = JSON.stringify(await listBlockedIds(main, id));
  // Message databases have no profiles, so visibility is checked on their rows afterwards.
  const always = sql<boolean>`true`;
  const inOther = {
    isRecipientVisible: always,
    isSenderVisible: always,
    isSenderNotBlocked: sql<boolean>`m.sender_id not in (select value from json_each(${blocked}))`,
  };
  const inOthers = others.map((database) =>
    selectOwnMessages(messageDatabases.open(database).db, id, after, inOther).execute(),
  );
  const [rows, ...lists] = await Promise.all([inMain, ...inOthers]);
  const visibleIds = await listVisibleIds(main, ctx, id, lists.flat());
  return [...rows, ...lists.flat().map((row) => hideOther(row, id, visibleIds))]
    .sort((one, other) => one.id - other.id)
    .slice(0, BULK_CHUNK_ROWS);
}

async function listVisibleIds(main: Database, ctx: ViewerContext, id: number, rows: readonly OwnMessage[]) {
  const others = [...new Set(rows.map((row) => otherIdOf(row, id)))].filter((other) => other !== null);
  const visible = await main
    .selectFrom(itemsOf(others, "o"))
    .innerJoin("profile as p", "p.id", "o.value")
    .select("p.id")
    .where(visibleTo(ctx))
    .execute();
  return new Set(visible.map((row) => row.id));
}

function hideOther(row: OwnMessage, id: number, visibleIds: ReadonlySet<number>): OwnMessage {
  const other = otherIdOf(row, id);
  if (other === null || visibleIds.has(other)) return row;
  if (row.sender_id === id) return { ...row, recipient_id: HIDDEN_PROFILE_ID };
  return { ...row, sender_id: HIDDEN_PROFILE_ID, picture_ids: "[]", attachment: null };
}

function selectOwnMessages(db: Database, id: number, after: number, visibility: OtherVisibility) {
  const { isRecipientVisible, isSenderVisible, isSenderNotBlocked } = visibility;
  const sent = db
    .selectFrom("message as m")
    .select(["m.id as at", "m.id", "m.sender_id"])
    .select(
      sql<number | null>`case when ${isRecipientVisible} then m.recipient_id else ${HIDDEN_PROFILE_ID} end`.as(
        "recipient_id",
      ),
    )
    .select(sql<string>`case when m.unsend_due then '' else m.body_text end`.as("body_text"))
    .select("m.picture_ids")
    .select(
      sql<string | null>`iif(m.attachment ->> '$.tsOpened' is not null and ifnull(m.ts_recipient_read, 0) <= 0,
        json_set(m.attachment, '$.tsOpened', null), m.attachment)`.as("attachment"),
    )
    .select(["m.reply_to", "m.reaction", "m.brand", "m.ts_created"])
    .select(sql<number | null>`iif(m.ts_recipient_read > 0, m.ts_recipient_read, null)`.as("ts_recipient_read"))
    .select(sql<number | null>`iif(m.unsend_due, m.ts_sender_deleted, m.ts_unsent)`.as("ts_unsent"))
    .where("m.sender_id", "=", id)
    .where("m.id", ">", after)
    .where((either) => either.or([either("m.ts_sender_deleted", "is", null), either("m.unsend_due", "=", 1)]))
    .orderBy("m.id")
    .limit(BULK_CHUNK_ROWS);
  const received = db
    .selectFrom("message as m")
    .select(["m.id as at", "m.id"])
    .select(sql<number>`case when ${isSenderVisible} then m.sender_id else ${HIDDEN_PROFILE_ID} end`.as("sender_id"))
    .select(["m.recipient_id", "m.body_text"])
    .select(sql<string>`case when ${isSenderVisible} then m.picture_ids else '[]' end`.as("picture_ids"))
    .select(sql<string | null>`case when ${isSenderVisible} then m.attachment end`.as("attachment"))
    .select(["m.reply_to", "m.reaction", "m.brand", "m.ts_created"])
    .select(sql<number | null>`abs(m.ts_recipient_read)`.as("ts_recipient_read"))
    .select("m.ts_unsent")
    .where("m.recipient_id", "=", id)
    .where("m.id", ">", after)
    .where("m.ts_recipient_deleted", "is", null)
    .where("m.ts_unsent", "is", null)
    .where("m.sender_id", "<>", id)
    .where(isSenderNotBlocked)
    .orderBy("m.id")
    .limit(BULK_CHUNK_ROWS);
  return db
    .selectFrom(sent.as("s"))
    .selectAll()
    .unionAll(db.selectFrom(received.as("r")).selectAll())
    .orderBy("at")
    .limit(BULK_CHUNK_ROWS);
}

/** Deletes a chunk of a member's messages and returns whether there may be more. Deleting all at once would block the database. */
export async function deleteMessageChunk(db: Database, id: number): Promise<boolean> {
  const rows = await db
    .deleteFrom("message")
    .where("id", "in", (some) =>
      some
        .selectFrom("message as m")
        .select("m.id")
        .where((side) => side.or([side("m.sender_id", "=", id), side("m.recipient_id", "=", id)]))
        .limit(BULK_CHUNK_ROWS),
    )
    .returning("id")
    .execute();
  return rows.length === BULK_CHUNK_ROWS;
}

/** Deletes a member's messages in all message databases, and what belongs to them in the main one. Idempotent. */
export async function deleteMessagesInOthers(env: Env, id: number): Promise<void> {
  const messageDatabases = openMessageDatabases(env);
  const main = messageDatabases.open(0);
  await forEachDespiteErrors(messageDatabases.numbers, async (database) => {
    const messages = messageDatabases.open(database);
    while (await deleteChunkInOther(main, messages, id));
    await batch(messages.d1, [
      messages.db.deleteFrom("conversation").where("profile_id", "=", id),
      messages.db.deleteFrom("conversation").where("other_id", "=", id),
      messages.db.deleteFrom("message_pair").where("low_id", "=", id),
      messages.db.deleteFrom("message_pair").where("high_id", "=", id),
    ]);
  });
}

/** Deletes what belongs to a message before the message itself, so that the next run can resume after a failure. */
async function deleteChunkInOther(main: MessageDatabase, { db }: MessageDatabase, id: number): Promise<boolean> {
  const rows = await db
    .selectFrom("message as m")
    .select("m.id")
    .where((side) =>
      side.or([
        side.and([side("m.sender_id", "=", id), side("m.recipient_id", "is not", null)]),
        side("m.recipient_id", "=", id),
      ]),
    )
    .limit(BULK_CHUNK_ROWS)
    .execute();
  if (rows.length === 0) return false;
  const ids = rows.map((row) => row.id);
  await batch(main.d1, deleteContentQueries(main.db, ids));
  await db
    .deleteFrom("message")
    .where("id", "in", (named) => named.selectFrom(itemsOf(ids, "gone")).select("gone.value"))
    .execute();
  return rows.length === BULK_CHUNK_ROWS;
}
