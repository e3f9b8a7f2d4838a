/**
 * Pictures that nobody asked for: readers decline them without a word to the sender, and whoever was declined by several members
 * has to write first and wait for an answer.
 */
import { PICTURE_DECLINE_MS, PICTURE_DECLINES_MAX } from "@lambda/contract/limits";
import { sectorsAround } from "@lambda/geo/sector";
import { type RawBuilder, sql } from "kysely";
import { visibleTo } from "../../members/visibility/visibility.ts";
import { ownSector } from "../../places/areas/area.ts";
import type { Database } from "../../platform/db/database.ts";
import { deletePortion } from "../../platform/db/rounds.ts";
import { openFor } from "../../platform/db/shards.ts";
import { AppError } from "../../platform/errors.ts";
import { spend } from "../../platform/rate-limits/limit.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import { wroteTo } from "../contact/wrote-to.ts";
import { removeMessage } from "./remove.ts";

/**
 * Takes the pictures of a message away from the reader and counts its sender's unasked ones; a reader who wrote to the sender only
 * takes them away. Throws NOT_FOUND for a message that the reader cannot read or that carries no picture.
 */
export async function declinePictures(ctx: MemberContext, id: number): Promise<void> {
  const { db, viewer, now } = ctx;
  const me = viewer.profileId;
  const message = await openFor(ctx.shards, id)
    .db.selectFrom("message as m")
    .select(["m.sender_id", "m.recipient_id", "m.sector", "m.brand"])
    .where(bringsPicturesTo(me, id))
    .executeTakeFirst();
  // Pictures of a sender who is out of sight are closed anyway, and nothing may tell whether they are still there.
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
  if (isBroadcast && (viewer.hidden || message.brand !== ctx.brand.id || !isAround(ctx, message.sector)))
    throw new AppError("NOT_FOUND");
  if (isBroadcast || !sender.wrote) await countDecline(ctx, message.sender_id, now);
  if (!isBroadcast) await removeMessage(ctx, id, true);
}

/** A `message m` of this id that has pictures for the reader. */
const bringsPicturesTo = (me: number, id: number) =>
  sql<boolean>`(m.id = ${id} and m.sender_id <> ${me} and (m.picture_ids <> '[]' or m.attachment ->> '$.type' = 'once')
    and m.ts_unsent is null and (m.recipient_id = ${me} or m.recipient_id is null) and m.ts_recipient_deleted is null)`;

const isAround = (ctx: MemberContext, sector: number | null) =>
  sector !== null && sectorsAround(ownSector(ctx)).includes(sector);

async function countDecline(ctx: MemberContext, senderId: number, now: number): Promise<void> {
  const me = ctx.viewer.profileId;
  await spend(ctx, "relations", me, { relations: 1 });
  await ctx.db
    .insertInto("picture_decline")
    .values({ sender_id: senderId, decliner_id: me, ts_declined: now })
    .onConflict((conflict) => conflict.columns(["sender_id", "decliner_id"]).doUpdateSet({ ts_declined: now }))
    .execute();
}

/** Whether so many members declined this sender's pictures of late that more cannot be sent unasked. */
export function mustAskFirst(senderId: number, now: number): RawBuilder<0 | 1> {
  return sql<0 | 1>`(select count(*) >= ${sql.lit(PICTURE_DECLINES_MAX)} from (select 1 from picture_decline d
    where d.sender_id = ${senderId} and d.ts_declined > ${now - PICTURE_DECLINE_MS} limit ${sql.lit(PICTURE_DECLINES_MAX)}))`;
}

/** Run by schedule: a declined picture does not count for ever. */
export function deleteOldDeclines(db: Database, now: number, atOnce: number): Promise<boolean> {
  const old = db
    .selectFrom("picture_decline")
    .select(["sender_id", "decliner_id"])
    .where("ts_declined", "<=", now - PICTURE_DECLINE_MS)
    .limit(atOnce)
    .$asTuple("sender_id", "decliner_id");
  const rows = db
    .deleteFrom("picture_decline")
    .where(({ refTuple, eb }) => eb(refTuple("sender_id", "decliner_id"), "in", old));
  return deletePortion(rows, atOnce);
}
