/**
 * Unsolicited pictures. Readers can decline them without the sender being told, and a sender who was declined by several members has to
 * write first and wait for a reply.
 */
import {
  BROADCAST_DECLINER_AGE_MS,
  DAY_MS,
  DECLINER_ACCOUNT_AGE_MS,
  PICTURE_DECLINE_WINDOW_MS,
  PICTURE_DECLINES_MAX,
} from "@lambda/contract/limits";
import { sectorAndNeighbors } from "@lambda/geo/sector";
import { type RawBuilder, sql } from "kysely";
import { ownSector } from "../../places/areas/area.ts";
import { openDatabaseOf } from "../../platform/db/message-databases.ts";
import { AppError } from "../../platform/errors.ts";
import { spendQuota } from "../../platform/rate-limits/limit.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import { visibleTo } from "../../visibility/visibility.ts";
import { wroteTo } from "../wrote-to.ts";
import { removeMessage } from "./remove.ts";

/** A decline that may count, so that accounts made for it take nothing from anybody. */
interface Decline {
  /** When the latest picture was sent that this member declined. */
  readonly tsSent: number;
  readonly tsJoined: number;
  /** Where the decliner registered; null if that is no longer known. */
  readonly network: number | null;
}

const WEEK_MS = 7 * DAY_MS;

/** Until when the sender has to ask first; undefined if too few declines count. */
function declinedUntil(declines: readonly Decline[], isBroadcast: boolean, now: number): number | undefined {
  const newestFirst = declines.toSorted((one, other) => other.tsSent - one.tsSent);
  const counted: Decline[] = [];
  for (const decline of newestFirst) {
    if (counted.length === PICTURE_DECLINES_MAX) break;
    if (!isBroadcast || countsInMapChat(decline, counted)) counted.push(decline);
  }
  const oldest = counted[PICTURE_DECLINES_MAX - 1];
  if (!oldest) return;
  const until = Math.ceil((oldest.tsSent + PICTURE_DECLINE_WINDOW_MS) / DAY_MS) * DAY_MS;
  return until > now ? until : undefined;
}

/** Anybody can come near and decline, so an account must differ in network and week from all others that count. */
function countsInMapChat(decline: Decline, counted: readonly Decline[]): boolean {
  const weekOf = ({ tsJoined }: Decline) => Math.floor(tsJoined / WEEK_MS);
  return counted.every(
    (other) => weekOf(other) !== weekOf(decline) && (other.network === null || other.network !== decline.network),
  );
}

/** More would change nothing that a sender notices. */
const DECLINES_READ_MAX = 100;

/**
 * Deletes a message with pictures for the viewer, and counts it as a decline unless the viewer has written to its sender. Throws
 * NOT_FOUND for a message that the viewer cannot read or that has no pictures.
 */
export async function declinePictures(ctx: MemberContext, id: number): Promise<void> {
  const { db, viewer } = ctx;
  const me = viewer.profileId;
  const message = await openDatabaseOf(ctx.messageDatabases, id)
    .db.selectFrom("message as m")
    .select(["m.sender_id", "m.recipient_id", "m.sector", "m.brand", "m.ts_created"])
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
  if (isBroadcast || !sender.wrote) await countDecline(ctx, message, isBroadcast);
  if (!isBroadcast) await removeMessage(ctx, id, true);
}

/** Whether `message m` has this id and shows the member pictures. */
const showsPicturesTo = (me: number, id: number) =>
  sql<boolean>`(m.id = ${id} and m.sender_id <> ${me} and (m.picture_ids <> '[]' or m.attachment ->> '$.type' = 'once')
    and m.ts_unsent is null and (m.recipient_id = ${me} or m.recipient_id is null) and m.ts_recipient_deleted is null)`;

const isNearby = (ctx: MemberContext, sector: number | null) =>
  sector !== null && sectorAndNeighbors(ownSector(ctx)).includes(sector);

async function countDecline(
  ctx: MemberContext,
  { sender_id, ts_created: tsSent }: { readonly sender_id: number; readonly ts_created: number },
  isBroadcast: boolean,
): Promise<void> {
  const me = ctx.viewer.profileId;
  await spendQuota(ctx, "relations", me, { relations: 1 });
  await ctx.db
    .insertInto("picture_decline")
    .values({ sender_id, decliner_id: me, broadcast: isBroadcast ? 1 : 0, ts_sent: tsSent })
    .onConflict((conflict) =>
      conflict
        .columns(["sender_id", "broadcast", "decliner_id"])
        .doUpdateSet({ ts_sent: sql<number>`max(ts_sent, excluded.ts_sent)` }),
    )
    .execute();
}

/** Whether the sender may have to ask first: cheap, so that only those with enough declines cost a second query. */
export function wasDeclinedOften(senderId: number, isBroadcast: boolean, now: number): RawBuilder<0 | 1> {
  return sql<0 | 1>`(select count(*) >= ${sql.lit(PICTURE_DECLINES_MAX)} from (select 1 from picture_decline d
    where d.sender_id = ${senderId} and d.broadcast = ${sql.lit(isBroadcast ? 1 : 0)} and d.ts_sent > ${countsAfter(now)}
    limit ${sql.lit(PICTURE_DECLINES_MAX)}))`;
}

/** Declines count to the end of a day in UTC, because the exact time would tell the sender which picture was declined. */
export const countsAfter = (now: number) => now - PICTURE_DECLINE_WINDOW_MS - DAY_MS;

/** Throws ASK_FIRST, with the time left, if members whose declines count declined pictures of this kind. */
export async function requireNotDeclined(ctx: MemberContext, isBroadcast: boolean, field: string): Promise<void> {
  const declines = await ctx.db
    .selectFrom("picture_decline as d")
    .innerJoin("account as a", "a.id", "d.decliner_id")
    .select(["d.ts_sent as tsSent", "a.ts_created as tsJoined", "a.network"])
    .where("d.sender_id", "=", ctx.viewer.profileId)
    .where("d.broadcast", "=", isBroadcast ? 1 : 0)
    .where("d.ts_sent", ">", countsAfter(ctx.now))
    // Before the limit: accounts that are too new must not take the places of those that count.
    .where(
      isBroadcast
        ? sql<boolean>`d.ts_sent - a.ts_created >= ${sql.lit(BROADCAST_DECLINER_AGE_MS)}`
        : sql<boolean>`a.ts_created <= ${ctx.now - DECLINER_ACCOUNT_AGE_MS}`,
    )
    .orderBy("d.ts_sent", "desc")
    .limit(DECLINES_READ_MAX)
    .execute();
  const until = declinedUntil(declines, isBroadcast, ctx.now);
  if (until === undefined) return;
  throw new AppError("ASK_FIRST", {
    field,
    reason: isBroadcast ? "MAP_CHAT" : "PERSONAL",
    retryAfterSeconds: Math.ceil((until - ctx.now) / 1000),
  });
}
