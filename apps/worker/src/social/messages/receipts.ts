/**
 * Delivered and seen. A receipt tells the sender that this member is there, so it is written and sent only while they may see each
 * other; the reader's own unread count falls in any case.
 */
import type { ServerEvent } from "@lambda/contract/events";
import type { Delivered } from "@lambda/contract/messages";
import { type CompiledQuery, type RawBuilder, sql } from "kysely";
import { listedOn, notBlockedBy, type Onlooker, visibleTo } from "../../members/visibility/visibility.ts";
import { indexedBy, itemsOf } from "../../platform/db/d1.ts";
import type { Database } from "../../platform/db/database.ts";
import { byShard } from "../../platform/db/shards.ts";
import { AppError } from "../../platform/errors.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import { shardBetween } from "../contact/wrote-to.ts";
import { changeMessages } from "./change.ts";
import { sendToMember } from "./deliver.ts";
import { pairOf } from "./mappers.ts";
import { listShardsOf } from "./queries.ts";

/**
 * Marks everything up to an id as seen, which never raises the count. NOT_FOUND when there is no conversation with the other, or the reader
 * blocked them.
 */
export async function markRead(ctx: MemberContext, otherId: number, upTo: number): Promise<{ unread: number }> {
  const me = ctx.viewer.profileId;
  const pair = { ...pairOf(me, otherId), shard: 0 };
  let sight: Sight | null = null;
  if (ctx.shards.numbers.length > 0) {
    sight = await getSight(ctx, otherId);
    pair.shard = sight.shard ?? 0;
  }
  // Other databases do not know who sees whom.
  const elsewhere = pair.shard === 0 ? null : sight;
  const { rows } = await changeMessages<[{ id: number }[], { unread: number }[]], [unknown[]]>(
    ctx,
    pair,
    [markReadQuery(ctx, otherId, upTo, elsewhere), lowerUnreadQuery(ctx, otherId, upTo, elsewhere)],
    [
      ctx.db
        .deleteFrom("notification")
        .where("about_id", "=", otherId)
        .where("profile_id", "=", me)
        .where("kind", "=", "message")
        .compile(),
    ],
  );
  const [marked, conversations] = rows;
  const conversation = conversations[0];
  if (!conversation) throw new AppError("NOT_FOUND");
  const ts = new Date(ctx.now).toISOString();
  const seen = { type: "seen", profileId: me, upToMessageId: upTo, ts } as const;
  ctx.waitUntil(sendToMember(ctx.env, me, { ...seen, withProfileId: null }, null));
  if (marked.length > 0) ctx.waitUntil(sendToMember(ctx.env, otherId, { ...seen, withProfileId: otherId }, me));
  return conversation;
}

/** What the main database says of a pair before its messages are marked elsewhere. */
interface Sight {
  readonly shard: number | null;
  readonly seen: 0 | 1;
  readonly open: 0 | 1;
}

function getSight(ctx: MemberContext, otherId: number): Promise<Sight> {
  const me = ctx.viewer.profileId;
  return ctx.db
    .selectNoFrom([
      shardBetween(me, otherId).as("shard"),
      sql<0 | 1>`${seeEachOther(ctx, sql.val(otherId))}`.as("seen"),
      sql<0 | 1>`${notBlockedBy(me, otherId)}`.as("open"),
    ])
    .executeTakeFirstOrThrow();
}

function markReadQuery(
  ctx: MemberContext,
  otherId: number,
  upTo: number,
  elsewhere: Sight | null,
): CompiledQuery<{ id: number }> {
  const me = ctx.viewer.profileId;
  const { low, high } = pairOf(me, otherId);
  return ctx.db
    .updateTable("message")
    .set({ ts_recipient_read: ctx.now, ts_delivered: sql<number>`coalesce(ts_delivered, ${ctx.now})` })
    .where("recipient_id", "=", me)
    .where("sender_id", "=", otherId)
    .where("id", "<=", upTo)
    .where("ts_recipient_read", "is", null)
    .where("filtered", "=", 0)
    .where("low_id", "=", low)
    .where("high_id", "=", high)
    .where(elsewhere ? sql<boolean>`${elsewhere.seen}` : seeEachOther(ctx, sql.val(otherId)))
    .returning("id")
    .compile();
}

/** The reader's count falls to what is unread beyond the id; no row where they blocked the other. */
function lowerUnreadQuery(
  { db, viewer }: MemberContext,
  otherId: number,
  upTo: number,
  elsewhere: Sight | null,
): CompiledQuery {
  const me = viewer.profileId;
  return db
    .updateTable("conversation")
    .set({
      unread: sql<number>`min(unread, (
        select count(*) from message m indexed by message_unread
        where m.recipient_id = ${me} and m.sender_id = ${otherId} and m.ts_recipient_read is null and m.id > ${upTo}
          and m.ts_unsent is null and m.ts_recipient_deleted is null))`,
    })
    .where("profile_id", "=", me)
    .where("other_id", "=", otherId)
    .where(elsewhere ? sql<boolean>`${elsewhere.open}` : notBlockedBy(me, sql.ref("conversation.other_id")))
    .returning("unread")
    .compile();
}

/** The viewer is listed here, and sees the other. */
function seeEachOther(onlooker: Onlooker, otherId: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`(exists (select 1 from profile me where me.id = ${onlooker.viewer.profileId} and ${listedOn(onlooker.brand, "me")})
    and exists (select 1 from profile p where p.id = ${otherId} and ${visibleTo(onlooker)}))`;
}

/** What a receipt needs of a request; a socket has no request. */
type ReceiptContext = Pick<MemberContext, "env" | "db" | "shards" | "now" | "waitUntil"> & Onlooker;

/** How many that waited are marked in one step; the rest keeps waiting for the next device. */
const RECEIPTS_BATCH_MAX = 500;

interface DeliveredRow {
  readonly id: number;
  readonly sender_id: number;
}

/**
 * Marks messages to this member as delivered and tells their senders. Ids of other members' messages are ignored. Answers those
 * that are marked now, oldest first.
 */
export async function markDelivered(ctx: ReceiptContext, which: Delivered): Promise<number[]> {
  const me = ctx.viewer.profileId;
  const rows = (await Promise.all(await markEverywhere(ctx, which))).flat();
  const ts = new Date(ctx.now).toISOString();
  for (const senderId of new Set(rows.map((row) => row.sender_id))) {
    const ids = rows.filter((row) => row.sender_id === senderId).map((row) => row.id);
    const event: ServerEvent = { type: "delivered", profileId: me, messageIds: ids, ts };
    ctx.waitUntil(sendToMember(ctx.env, senderId, event, me));
  }
  return rows.map((row) => row.id).sort((a, b) => a - b);
}

/** One database beside the other. */
async function markEverywhere(ctx: ReceiptContext, { messageIds, upToMessageId }: Delivered) {
  const { db, shards, viewer } = ctx;
  if (upToMessageId === undefined)
    return [...byShard(shards, messageIds ?? [])].map(([shard, ids]) =>
      shard === 0 ? markHere(ctx, namedIds(db, ids)) : markElsewhere(ctx, shard, namedIds(db, ids)),
    );
  const waiting = undeliveredIds(db, viewer.profileId, upToMessageId);
  const others = await listShardsOf(db, shards.numbers, viewer.profileId);
  return [markHere(ctx, waiting), ...others.map((shard) => markElsewhere(ctx, shard, waiting))];
}

const namedIds = (db: Database, ids: readonly number[]): Ids =>
  sql`${db.selectFrom(itemsOf(ids, "named")).select("named.value as id")}`;

const undeliveredIds = (db: Database, readerId: number, upTo: number): Ids =>
  sql`${db
    .selectFrom(indexedBy("message", "w", "message_undelivered"))
    .select("w.id")
    .where("w.recipient_id", "=", readerId)
    .where("w.ts_delivered", "is", null)
    .where("w.id", "<=", upTo)
    .limit(RECEIPTS_BATCH_MAX)}`;

type Ids = RawBuilder<number>;

function markHere(ctx: ReceiptContext, ids: Ids): Promise<DeliveredRow[]> {
  return deliverQuery(ctx, ctx.db, ids)
    .where(seeEachOther(ctx, sql.ref("message.sender_id")))
    .execute();
}

/** Where nobody knows who sees whom: the main database is asked in between. */
async function markElsewhere(ctx: ReceiptContext, shard: number, ids: Ids): Promise<DeliveredRow[]> {
  const { db } = ctx.shards.open(shard);
  const senders = await db
    .selectFrom("message")
    .select("sender_id")
    .distinct()
    .where("id", "in", ids)
    .where("recipient_id", "=", ctx.viewer.profileId)
    .where("ts_delivered", "is", null)
    .execute();
  if (senders.length === 0) return [];
  const seen = await ctx.db
    .selectFrom(
      itemsOf(
        senders.map(({ sender_id }) => sender_id),
        "s",
      ),
    )
    .select("s.value as id")
    .where(seeEachOther(ctx, sql.ref("s.value")))
    .execute();
  if (seen.length === 0) return [];
  const named = itemsOf(
    seen.map(({ id }) => id),
    "s",
  );
  return deliverQuery(ctx, db, ids)
    .where("sender_id", "in", (select) => select.selectFrom(named).select("s.value"))
    .execute();
}

function deliverQuery(ctx: ReceiptContext, db: Database, ids: Ids) {
  return db
    .updateTable("message")
    .set({ ts_delivered: ctx.now })
    .where("id", "in", ids)
    .where("recipient_id", "=", ctx.viewer.profileId)
    .where("ts_delivered", "is", null)
    .where("filtered", "=", 0)
    .returning(["id", "sender_id"]);
}
