/** All messages of one member, for the export of their data and the purge of their account. */
import { BULK_CHUNK_ROWS } from "@lambda/contract/limits";
import { NOBODY } from "@lambda/contract/messages";
import { type RawBuilder, sql } from "kysely";
import { listBlockedIds } from "../../members/blocks/queries.ts";
import { notBlockedBy, type Onlooker, visibleTo } from "../../members/visibility/visibility.ts";
import { batch } from "../../platform/db/batch.ts";
import { itemsOf } from "../../platform/db/d1.ts";
import type { Database } from "../../platform/db/database.ts";
import { inEachShard, type MessageDatabase, openShards, type Shards } from "../../platform/db/shards.ts";
import type { Env } from "../../platform/env.ts";
import { deletedQueries } from "./carried.ts";
import { listShardsOf } from "./queries.ts";

/** Of one member, for their own eyes. */
interface OwnMessage {
  readonly at: number;
  readonly id: number;
  readonly sender_id: number;
  readonly recipient_id: number | null;
  readonly body_text: string;
  readonly picture_ids: string;
  readonly attachment: string | null;
  readonly brand: string;
  readonly ts_created: number;
  readonly ts_recipient_read: number | null;
  readonly ts_unsent: number | null;
}

/** What is shown of the other side of a `message m`. */
interface Sight {
  readonly recipientSeen: RawBuilder<boolean>;
  readonly senderSeen: RawBuilder<boolean>;
  /** The member did not block its sender. */
  readonly open: RawBuilder<boolean>;
}

/** Those behind an id, at most one chunk of them; without who the others are, where the member may not see them now. */
export async function listOwnMessages(
  shards: Shards,
  id: number,
  after: number,
  onlooker: Onlooker,
): Promise<OwnMessage[]> {
  const main = shards.open(0).db;
  const sight = {
    recipientSeen: sql<boolean>`(m.recipient_id is null or ${shown(onlooker, "recipient_id")})`,
    senderSeen: shown(onlooker, "sender_id"),
    open: notBlockedBy(id, sql.ref("m.sender_id")),
  };
  const here = ownMessagesOf(main, id, after, sight).execute();
  const others = await listShardsOf(main, shards.numbers, id);
  if (others.length === 0) return here;
  const blocked = JSON.stringify(await listBlockedIds(main, id));
  const open = sql<boolean>`m.sender_id not in (select value from json_each(${blocked}))`;
  const all = sql<boolean>`true`;
  const elsewhere = others.map((shard) =>
    ownMessagesOf(shards.open(shard).db, id, after, { recipientSeen: all, senderSeen: all, open }).execute(),
  );
  const [rows, ...lists] = await Promise.all([here, ...elsewhere]);
  const shownIds = await listShown(main, onlooker, id, lists.flat());
  return [...rows, ...lists.flat().map((row) => withoutHidden(row, id, shownIds))]
    .sort((one, other) => one.id - other.id)
    .slice(0, BULK_CHUNK_ROWS);
}

const otherOf = (row: OwnMessage, id: number) => (row.sender_id === id ? row.recipient_id : row.sender_id);

async function listShown(
  main: Database,
  onlooker: Onlooker,
  id: number,
  rows: readonly OwnMessage[],
): Promise<ReadonlySet<number>> {
  const others = [...new Set(rows.map((row) => otherOf(row, id)))].filter((other) => other !== null);
  const seen = await main
    .selectFrom(itemsOf(others, "o"))
    .innerJoin("profile as p", "p.id", "o.value")
    .select("p.id")
    .where(visibleTo(onlooker))
    .execute();
  return new Set(seen.map((row) => row.id));
}

function withoutHidden(row: OwnMessage, id: number, shownIds: ReadonlySet<number>): OwnMessage {
  const other = otherOf(row, id);
  if (other === null || shownIds.has(other)) return row;
  if (row.sender_id === id) return { ...row, recipient_id: NOBODY };
  return { ...row, sender_id: NOBODY, picture_ids: "[]", attachment: null };
}

function ownMessagesOf(db: Database, id: number, after: number, { recipientSeen, senderSeen, open }: Sight) {
  const sent = db
    .selectFrom("message as m")
    .select(["m.id as at", "m.id", "m.sender_id"])
    .select(sql<number | null>`case when ${recipientSeen} then m.recipient_id else ${NOBODY} end`.as("recipient_id"))
    .select(sql<string>`case when m.unsend_due then '' else m.body_text end`.as("body_text"))
    .select(["m.picture_ids", "m.attachment", "m.brand", "m.ts_created", "m.ts_recipient_read"])
    .select(sql<number | null>`iif(m.unsend_due, m.ts_sender_deleted, m.ts_unsent)`.as("ts_unsent"))
    .where("m.sender_id", "=", id)
    .where("m.id", ">", after)
    .where((either) => either.or([either("m.ts_sender_deleted", "is", null), either("m.unsend_due", "=", 1)]))
    .orderBy("m.id")
    .limit(BULK_CHUNK_ROWS);
  const received = db
    .selectFrom("message as m")
    .select(["m.id as at", "m.id"])
    .select(sql<number>`case when ${senderSeen} then m.sender_id else ${NOBODY} end`.as("sender_id"))
    .select(["m.recipient_id", "m.body_text"])
    .select(sql<string>`case when ${senderSeen} then m.picture_ids else '[]' end`.as("picture_ids"))
    .select(sql<string | null>`case when ${senderSeen} then m.attachment end`.as("attachment"))
    .select(["m.brand", "m.ts_created", "m.ts_recipient_read", "m.ts_unsent"])
    .where("m.recipient_id", "=", id)
    .where("m.id", ">", after)
    .where("m.ts_recipient_deleted", "is", null)
    .where("m.ts_unsent", "is", null)
    .where("m.sender_id", "<>", id)
    .where(open)
    .orderBy("m.id")
    .limit(BULK_CHUNK_ROWS);
  return db
    .selectFrom(sent.as("s"))
    .selectAll()
    .unionAll(db.selectFrom(received.as("r")).selectAll())
    .orderBy("at")
    .limit(BULK_CHUNK_ROWS);
}

/** Whether the member whose export it is may see this side of `message m`. */
function shown(onlooker: Onlooker, side: "sender_id" | "recipient_id"): RawBuilder<boolean> {
  return sql`exists (select 1 from profile p where p.id = ${sql.ref(`m.${side}`)} and ${visibleTo(onlooker)})`;
}

/** Deletes some of a member's messages; answers whether there may be more. Many at once would hold the database up. */
export async function deleteSomeMessages(db: Database, id: number): Promise<boolean> {
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

/** Deletes whatever other databases than the main one have of a member, with what hangs on it there. To be repeated at will. */
export async function deleteMessagesElsewhere(env: Env, id: number): Promise<void> {
  const shards = openShards(env);
  const main = shards.open(0);
  await inEachShard(shards.numbers, async (shard) => {
    const messages = shards.open(shard);
    while (await deleteSomeElsewhere(main, messages, id));
    await batch(messages.d1, [
      messages.db.deleteFrom("conversation").where("profile_id", "=", id).compile(),
      messages.db.deleteFrom("conversation").where("other_id", "=", id).compile(),
      messages.db.deleteFrom("talk").where("low_id", "=", id).compile(),
      messages.db.deleteFrom("talk").where("high_id", "=", id).compile(),
    ]);
  });
}

/** What hangs on a message goes before it, so that a run that breaks off is taken up by the next one. */
async function deleteSomeElsewhere(main: MessageDatabase, { db }: MessageDatabase, id: number): Promise<boolean> {
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
  await batch(main.d1, deletedQueries(main.db, ids));
  await db
    .deleteFrom("message")
    .where("id", "in", (named) => named.selectFrom(itemsOf(ids, "gone")).select("gone.value"))
    .execute();
  return rows.length === BULK_CHUNK_ROWS;
}
