import type { Conversation, ConversationRef, Message } from "@lambda/contract/messages";
import { sql } from "kysely";
import type { z } from "zod";
import { batch, type Database, indexedBy, type Query, rowsOf } from "../../platform/db/database.ts";
import {
  allNumbersIfFew,
  firstIdAt,
  heldIn,
  isTimestampId,
  openDatabaseOf,
} from "../../platform/db/message-databases.ts";
import type { MessagePairRow } from "../../platform/db/tables.ts";
import { AppError } from "../../platform/errors.ts";
import { announceToAllRegions } from "../../platform/replication/watermarks.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import { notBlockedBy } from "../../visibility/visibility.ts";
import { rememberAnswered } from "./answered-pairs.ts";
import { syncPair } from "./change.ts";
import { isOfPair, type MessageColumns, otherIdOf, type PartnerRow, pairOf, toMessage, toPartner } from "./mappers.ts";
import {
  findOtherId,
  isInHistoryOf,
  listConversations,
  MESSAGE_COLUMNS,
  messagesBetweenQuery,
  pairDatabaseQuery,
  type Slice,
  selectPartners,
  visibleColumn,
} from "./queries.ts";
import { type MissedRow, missedInMainQuery, toExaminedPage } from "./statements.ts";

/** Ten seconds of ids. Ids from several databases are ordered by clock, so a message may become visible after one with a higher id. */
const OVERLAP_IDS = firstIdAt(Date.UTC(2020, 0) + 10_000);

type PairElsewhere = Pick<MessagePairRow, "low_id" | "high_id"> &
  Pick<PartnerRow, "other_id" | "visible"> & { readonly database: number; readonly last_message_id: number };

/**
 * Messages that a device missed: received, or sent from another device, after an id. Oldest first, from all conversations and databases.
 * `overlap` are messages just before the id, which a device may lack when there are several databases.
 */
async function listMissed(ctx: MemberContext, since: number, size: number) {
  const inMain = missedInMainQuery(ctx, since, size);
  if (ctx.messageDatabases.numbers.length === 0) {
    const { rows: after, stoppedAt } = toExaminedPage<MissedRow>((await batch(ctx.d1, [inMain]))[0]);
    return { overlap: [], after, stoppedAt };
  }
  // The id at which the overlap begins.
  const from = isTimestampId(since) ? since - OVERLAP_IDS : since;
  const [found, before, pairs] = await batch(ctx.d1, [
    inMain,
    overlapInMainQuery(ctx, from, since, size),
    pairsElsewhereQuery(ctx, from),
  ]);
  const { rows, stoppedAt } = toExaminedPage<MissedRow>(found);
  const visible = new Map(pairs.map(({ other_id, visible }) => [other_id, visible]));
  const me = ctx.viewer.profileId;
  const withVisibility = (row: MessageColumns): MissedRow => ({
    ...row,
    visible: visible.get(otherIdOf(row, me) ?? 0) ?? 0,
  });
  const inOthers = await Promise.all(
    [...new Set(pairs.map(({ database }) => database))].map((database) => {
      const pairsThere = pairs.filter((pair) => pair.database === database);
      return listMissedInOther(ctx, database, pairsThere, { from, since, size });
    }),
  );
  const merged = (lists: readonly MessageColumns[][]) => lists.flat().map(withVisibility).sort(byId);
  return {
    overlap: [...before, ...merged(inOthers.map(([overlap]) => overlap))].sort(byId).slice(-size),
    // Beyond where the main database stopped, it may have older ones than the others.
    after: [...rows, ...merged(inOthers.map(([, after]) => after))]
      .filter(({ id }) => id <= (stoppedAt ?? Number.MAX_SAFE_INTEGER))
      .sort(byId)
      .slice(0, size),
    stoppedAt,
  };
}

/**
 * Reads from the primary when the nearby copy lacks a message that the main database lists as a pair's latest: the device would otherwise
 * skip it for good.
 */
async function listMissedInOther(
  ctx: MemberContext,
  database: number,
  pairs: readonly PairElsewhere[],
  { from, since, size }: { readonly from: number; readonly since: number; readonly size: number },
): Promise<[overlap: MessageColumns[], after: MessageColumns[]]> {
  const me = ctx.viewer.profileId;
  const { d1, db } = ctx.messageDatabases.open(database);
  const lists = await batch(d1, [
    missedInOtherQuery(db, me, pairs, from, since, size),
    missedInOtherQuery(db, me, pairs, since, null, size),
  ]);
  const ids = new Set(lists.flat().map(({ id }) => id));
  const isComplete = lists.every((list) => list.length < size);
  const isStale = isComplete && pairs.some((pair) => !ids.has(pair.last_message_id));
  if (!isStale || !ctx.database.switchMessagesToPrimary(database)) return lists;
  return listMissedInOther(ctx, database, pairs, { from, since, size });
}

const byId = (one: MissedRow, other: MissedRow) => one.id - other.id;

/** The latest messages of the main database after an id, up to another. */
function overlapInMainQuery(ctx: MemberContext, after: number, upTo: number, size: number): Query<MissedRow> {
  const me = ctx.viewer.profileId;
  return ctx.db
    .selectFrom("conversation as c")
    .crossJoin("profile as p")
    .crossJoin(indexedBy("message", "m", "message_by_pair"))
    .select(MESSAGE_COLUMNS)
    .select(["c.other_id", visibleColumn(ctx)])
    .whereRef("p.id", "=", "c.other_id")
    .where("m.low_id", "=", sql<number>`min(c.profile_id, c.other_id)`)
    .where("m.high_id", "=", sql<number>`max(c.profile_id, c.other_id)`)
    .where("m.id", ">", after)
    .where("m.id", "<=", upTo)
    .where("c.profile_id", "=", me)
    .where("c.last_message_id", ">", after)
    .where(notBlockedBy(me, sql.ref("c.other_id")))
    .where(isInHistoryOf(me))
    .orderBy("m.id", "desc")
    .limit(size);
}

/** Pairs in message databases that have a message after an id. */
function pairsElsewhereQuery(ctx: MemberContext, since: number): Query<PairElsewhere> {
  const me = ctx.viewer.profileId;
  return ctx.db
    .selectFrom("conversation as c")
    .crossJoin("profile as p")
    .crossJoin("message_pair as t")
    .select(["t.low_id", "t.high_id", heldIn.as("database"), "c.other_id", "c.last_message_id", visibleColumn(ctx)])
    .whereRef("p.id", "=", "c.other_id")
    .where("t.low_id", "=", sql<number>`min(c.profile_id, c.other_id)`)
    .where("t.high_id", "=", sql<number>`max(c.profile_id, c.other_id)`)
    .where(heldIn, ">", 0)
    .where("c.profile_id", "=", me)
    .where("c.last_message_id", ">", since)
    .where(notBlockedBy(me, sql.ref("c.other_id")));
}

/** The same for some pairs of a message database. */
function missedInOtherQuery(
  db: Database,
  readerId: number,
  pairs: readonly Pick<MessagePairRow, "low_id" | "high_id">[],
  after: number,
  upTo: number | null,
  size: number,
): Query<MessageColumns> {
  return db
    .selectFrom(rowsOf(pairs, ["low_id", "high_id"], "pair"))
    .crossJoin(indexedBy("message", "m", "message_by_pair"))
    .select(MESSAGE_COLUMNS)
    .whereRef("m.low_id", "=", "pair.low_id")
    .whereRef("m.high_id", "=", "pair.high_id")
    .where("m.id", ">", after)
    .where("m.id", "<=", upTo ?? Number.MAX_SAFE_INTEGER)
    .where(isInHistoryOf(readerId))
    .orderBy("m.id", upTo === null ? "asc" : "desc")
    .limit(size);
}

/** A page, and the id to continue from when there may be more. */
export interface MessageList {
  items: Message[];
  nextCursor: number | null;
}

export const nextCursorOf = (rows: readonly { readonly id: number }[], size: number) =>
  rows.length < size ? null : (rows.at(-1)?.id ?? null);

/** The other member's id, given that id itself or one of the conversation's messages. Throws BAD_INPUT without either, and NOT_FOUND. */
export async function resolveOtherId(ctx: MemberContext, ref: z.output<typeof ConversationRef>): Promise<number> {
  if (ref.profileId !== undefined) return ref.profileId;
  if (ref.messageId === undefined) throw new AppError("BAD_INPUT", { field: "profileId" });
  const other = await findOtherId(ctx.messageDatabases, ctx.viewer.profileId, ref.messageId);
  if (other === undefined) throw new AppError("NOT_FOUND");
  return other;
}

/**
 * The viewer's history with another member. Throws NOT_FOUND if the viewer blocked them; if they are invisible for any other reason, the
 * history is returned without their identity.
 */
export async function readHistory(
  ctx: MemberContext,
  otherId: number,
  slice: Slice,
): Promise<MessageList & { other: Conversation["other"] }> {
  const me = ctx.viewer.profileId;
  const { partner, rows } = await readPairPage(ctx, otherId, slice);
  if (!partner) throw new AppError("NOT_FOUND");
  const other = toPartner(partner, ctx.now);
  // Without a history, an invisible member must look like one that does not exist.
  if (!other && rows.length === 0) throw new AppError("NOT_FOUND");
  const items = rows.map((row) => toMessage(row, me, other !== null));
  const authors = new Set(
    rows.filter(({ id }) => openDatabaseOf(ctx.messageDatabases, id).number === 0).map((row) => row.sender_id),
  );
  if (authors.size > 1) rememberAnswered(me, otherId);
  return { items, other, nextCursor: nextCursorOf(rows, slice.size) };
}

/**
 * The other member, whom only the main database knows, and the pair's messages from whichever database holds them. Queries the likely
 * message databases in parallel with the main one, which names the right one.
 */
async function readPairPage(ctx: MemberContext, otherId: number, slice: Slice) {
  const me = ctx.viewer.profileId;
  const mainQueries = [selectPartners(ctx, [otherId]), messagesBetweenQuery(ctx.db, me, otherId, slice)] as const;
  if (ctx.messageDatabases.numbers.length === 0) {
    const [[partner], rows] = await batch(ctx.d1, mainQueries);
    return { partner, rows };
  }
  const cursor = slice.before ?? slice.since;
  const likely =
    cursor === undefined
      ? (allNumbersIfFew(ctx.messageDatabases) ?? [])
      : [openDatabaseOf(ctx.messageDatabases, cursor).number];
  const [[[partner], rows, [messagePair]], ...pages] = await Promise.all([
    batch(ctx.d1, [...mainQueries, pairDatabaseQuery(ctx.db, me, otherId)]),
    // A database that is down must not fail members whose messages are in another one.
    ...likely
      .filter((database) => database > 0)
      .map((database) => readFrom(ctx, database, otherId, slice).catch(() => undefined)),
  ]);
  if (!messagePair || messagePair.database === 0 || !partner) return { partner, rows };
  const { database, version } = messagePair;
  const guessed = pages.find((page) => page?.database === database);
  let page = guessed ?? (await readFrom(ctx, database, otherId, slice));
  const isStale = page.version < version && ctx.database.switchMessagesToPrimary(database);
  if (isStale) page = await readFrom(ctx, database, otherId, slice);
  // The copy may revoke access to pictures, so readers in other regions have to be told of it.
  if (page.isOutdated)
    ctx.waitUntil(syncPair(ctx, { ...pairOf(me, otherId), database }).then(() => announceToAllRegions(ctx.env)));
  return { partner, rows: page.rows };
}

/** The pair's page in one database, and whether the main database's copy of the pair is older. */
async function readFrom(ctx: MemberContext, database: number, otherId: number, slice: Slice) {
  const me = ctx.viewer.profileId;
  const { d1, db } = ctx.messageDatabases.open(database);
  const [rows, [messagePair]] = await batch(d1, [
    messagesBetweenQuery(db, me, otherId, slice),
    db
      .selectFrom("message_pair")
      .select(["version", "synced_version"])
      .where(isOfPair(pairOf(me, otherId))),
  ]);
  return {
    database,
    rows,
    version: messagePair?.version ?? 0,
    isOutdated: messagePair !== undefined && messagePair.version > messagePair.synced_version,
  };
}

export async function readConversations(
  ctx: MemberContext,
  slice: Slice,
): Promise<{ items: Conversation[]; nextCursor: number | null }> {
  const rows = await listConversations(ctx, slice);
  const items = rows.flatMap(({ message, unread, ...row }) => {
    const other = toPartner(row, ctx.now);
    return message ? [{ other, unread, message: toMessage(message, ctx.viewer.profileId, other !== null) }] : [];
  });
  const ids = rows.map((row) => ({ id: row.last_message_id }));
  return { items, nextCursor: nextCursorOf(ids, slice.size) };
}

/** Messages received, or sent from another device, after an id. Oldest first, so that a device can continue from the last one. */
export async function readMissed(ctx: MemberContext, since: number, size: number): Promise<MessageList> {
  const { overlap, after, stoppedAt } = await listMissed(ctx, since, size);
  const items = [...overlap, ...after].map((row) => toMessage(row, ctx.viewer.profileId, row.visible === 1));
  return { items, nextCursor: nextCursorOf(after, size) ?? stoppedAt ?? null };
}
