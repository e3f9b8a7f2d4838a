/**
 * Unsolicited pictures. Readers can decline them without the sender being told, and a sender who was declined by several members has to
 * write first and wait for a reply.
 */
import { PICTURE_DECLINE_WINDOW_MS, PICTURE_DECLINES_MAX } from "@lambda/contract/limits";
import { sectorAndNeighbors } from "@lambda/geo/sector";
import { type RawBuilder, sql } from "kysely";
import { visibleTo } from "../../members/visibility/visibility.ts";
import { ownSector } from "../../places/areas/area.ts";
import { deleteChunk } from "../../platform/db/chunked-jobs.ts";
import type { Database } from "../../platform/db/database.ts";
import { openShardOf } from "../../platform/db/shards.ts";
import { AppError } from "../../platform/errors.ts";
import { spendQuota } from "../../platform/rate-limits/limit.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import { wroteTo } from "../contact/wrote-to.ts";
import { removeMessage } from "./remove.ts";

/**
 * Deletes a message with pictures for the viewer, and counts it as a decline unless the viewer has written to its sender. Throws
 * NOT_FOUND for a message that the viewer cannot read or that has no pictures.
 */
export async function declinePictures(ctx: MemberContext, id: number): Promise<void> {
  const { db, viewer, now } = ctx;
  const me = viewer.profileId;
  const message = await openShardOf(ctx.shards, id)
    .db.selectFrom("message as m")
    .select(["m.sender_id", "m.recipient_id", "m.sector", "m.brand"])
    .where(showsPicturesTo(me, id))
    .executeTakeFirst();
  // The pictures of an invisible sender cannot be opened anyway, and the response must not reveal whether they still exist.
  const sender =
    message &&
    (await db
      .selectFrom("profile as p")
      .select(wroteTo(me, message.sender_id).as("wrote"))
      .where("p.id", "=", message.sender_id)
      .where(visibleTo(ctx))
      .executeTakeFirst());
  if (!message || !sender) throw new AppError("NOT_FOUND");
  const isBroadcast = message.recipient_id === null;
  if (isBroadcast && (viewer.hidden || message.brand !== ctx.brand.id || !isNearby(ctx, message.sector)))
    throw new AppError("NOT_FOUND");
  if (isBroadcast || !sender.wrote) await countDecline(ctx, message.sender_id, now);
  if (!isBroadcast) await removeMessage(ctx, id, true);
}

/** Whether `message m` has this id and shows the member pictures. */
const showsPicturesTo = (me: number, id: number) =>
  sql<boolean>`(m.id = ${id} and m.sender_id <> ${me} and (m.picture_ids <> '[]' or m.attachment ->> '$.type' = 'once')
    and m.ts_unsent is null and (m.recipient_id = ${me} or m.recipient_id is null) and m.ts_recipient_deleted is null)`;

const isNearby = (ctx: MemberContext, sector: number | null) =>
  sector !== null && sectorAndNeighbors(ownSector(ctx)).includes(sector);

async function countDecline(ctx: MemberContext, senderId: number, now: number): Promise<void> {
  const me = ctx.viewer.profileId;
  await spendQuota(ctx, "relations", me, { relations: 1 });
  await ctx.db
    .insertInto("picture_decline")
    .values({ sender_id: senderId, decliner_id: me, ts_declined: now })
    .onConflict((conflict) => conflict.columns(["sender_id", "decliner_id"]).doUpdateSet({ ts_declined: now }))
    .execute();
}

/** Whether so many members recently declined this sender's pictures that the sender may not send more unsolicited ones. */
export function mustAskFirst(senderId: number, now: number): RawBuilder<0 | 1> {
  return sql<0 | 1>`(select count(*) >= ${sql.lit(PICTURE_DECLINES_MAX)} from (select 1 from picture_decline d
    where d.sender_id = ${senderId} and d.ts_declined > ${now - PICTURE_DECLINE_WINDOW_MS} limit ${sql.lit(PICTURE_DECLINES_MAX)}))`;
}

/** Scheduled: deletes declines that no longer count. */
export function deleteOldDeclines(db: Database, now: number, limit: number): Promise<boolean> {
  const expired = db
    .selectFrom("picture_decline")
    .select(["sender_id", "decliner_id"])
    .where("ts_declined", "<=", now - PICTURE_DECLINE_WINDOW_MS)
    .limit(limit)
    .$asTuple("sender_id", "decliner_id");
  const rows = db
    .deleteFrom("picture_decline")
    .where(({ refTuple, eb }) => eb(refTuple("sender_id", "decliner_id"), "in", expired));
  return deleteChunk(rows, limit);
}
