/**
 * Packs: the items issued to a player and not answered yet, one row per game and day. Players can vote only on these, under random numbers
 * that do not reveal what they are, so that nobody chooses what to vote on.
 */

import {
  DAY_MS,
  GAME_KNOWN_PER_DAY_MAX,
  GAME_OPEN_PER_DAY_MAX,
  GAME_OPEN_PER_WEEK_MAX,
  GAME_PACK_SIZE,
} from "@lambda/contract/limits";
import type { PersonCheckPose } from "@lambda/contract/person-check";
import { dayOf } from "@lambda/geo/time";
import { sql } from "kysely";
import { deleteChunk, updateChunk } from "../platform/db/chunked-jobs.ts";
import type { Database, Query } from "../platform/db/database.ts";
import type { GamePackRow } from "../platform/db/tables.ts";
import { AppError } from "../platform/errors.ts";
import type { MemberContext } from "../platform/trpc.ts";
import type { PackGame } from "./record.ts";

/** A version of a picture, a version of a member's text, or a text of known origin. */
export interface PackItem {
  readonly picture?: number;
  readonly subject?: number;
  readonly version: number;
  readonly body?: string;
  readonly known?: string;
  /** The pairs of pictures to compare, and the member who is checked by them. */
  readonly pairs?: readonly (readonly [number, number])[];
  readonly pose?: PersonCheckPose;
  /** When its first picture was read, and when each was. */
  readonly shown?: number;
  readonly reads?: Readonly<Record<string, number>>;
  readonly checked?: number;
  readonly nsfw?: boolean;
  /** The brand bit on which it was drawn; not shown on other brands. */
  readonly brand?: number;
}

export interface IssuedItem extends PackItem {
  readonly itemId: number;
}

/** Days for which older packs can still be played. */
export const PACK_DAYS_KEPT = 1;
/** Days over which issued items count against the weekly limit. */
const DAYS_COUNTED = 7;

/** The rest of a player's pack, and how many more items may be issued today. */
export interface OpenPack {
  readonly items: readonly IssuedItem[];
  readonly openLeft: number;
  readonly knownLeft: number;
  /** Days since 1970: the first day on which more items may be issued. */
  readonly nextDay: number;
}

type PackRow = Omit<GamePackRow, "profile_id" | "game">;

/** The player's packs of the last days, to be read by `toOpenPack`. */
export function recentPacksQuery({ db, viewer, now }: MemberContext, game: PackGame) {
  return db
    .selectFrom("game_pack")
    .select(["day", "items", "issued", "issued_known"])
    .where("profile_id", "=", viewer.profileId)
    .where("game", "=", game)
    .where("day", ">", dayOf(now) - DAYS_COUNTED);
}

/** @param isKept which items of the days before may still be answered */
export function toOpenPack(
  { brand, now }: MemberContext,
  rows: readonly PackRow[],
  isKept: (item: PackItem) => boolean = () => false,
): OpenPack {
  const today = rows.find(({ day }) => day === dayOf(now));
  const issuedInWeekTo = (until: number) =>
    rows.reduce((sum, { day, issued }) => (day > until - DAYS_COUNTED ? sum + issued : sum), 0);
  let nextDay = dayOf(now) + 1;
  while (issuedInWeekTo(nextDay) >= GAME_OPEN_PER_WEEK_MAX) nextDay += 1;
  const stored = rows
    .filter(({ day }) => day >= dayOf(now) - PACK_DAYS_KEPT)
    .flatMap((row) =>
      Object.entries(JSON.parse(row.items) as Record<string, PackItem>).filter(
        ([, item]) => row === today || isKept(item),
      ),
    );
  const issuedToday = today?.issued ?? 0;
  return {
    items: stored.flatMap(([itemId, item]) => (item.brand === brand.bit ? [{ ...item, itemId: Number(itemId) }] : [])),
    openLeft: Math.max(
      0,
      Math.min(GAME_OPEN_PER_DAY_MAX - issuedToday, GAME_OPEN_PER_WEEK_MAX - issuedInWeekTo(dayOf(now))),
    ),
    knownLeft: Math.max(0, GAME_KNOWN_PER_DAY_MAX - (today?.issued_known ?? 0)),
    nextDay,
  };
}

/** Throws TOO_MANY_REQUESTS if the player has used up the items of the day or week. */
export function requireAllowance({ openLeft, nextDay }: OpenPack, now: number): void {
  if (openLeft > 0) return;
  throw new AppError("TOO_MANY_REQUESTS", {
    retryAfterSeconds: Math.ceil((nextDay * DAY_MS - now) / 1000),
    message: "That is your share for now. There will be more in a day or two.",
  });
}

/** As many open and test items as may be issued now. */
export function chooseItems<Item>(pack: OpenPack, open: readonly Item[], known: readonly Item[], knownPerPack: number) {
  const tests = known.slice(0, Math.min(pack.knownLeft, knownPerPack));
  return { known: tests, open: open.slice(0, Math.min(pack.openLeft, GAME_PACK_SIZE - tests.length)) };
}

/** Adds drawn items to the day's pack and returns them with their numbers. */
export async function issueItems(
  ctx: MemberContext,
  game: PackGame,
  drawn: { readonly open: readonly PackItem[]; readonly known: readonly PackItem[] },
): Promise<IssuedItem[]> {
  const items = [...drawn.known, ...drawn.open];
  if (items.length === 0) return [];
  const { db, brand, viewer, now } = ctx;
  const numbers = crypto.getRandomValues(new Uint32Array(items.length));
  const issued = items.map((item, index) => ({ ...item, itemId: (numbers[index] ?? 0) + 1 }));
  const json = JSON.stringify(
    Object.fromEntries(issued.map(({ itemId, ...item }) => [itemId, { ...item, brand: brand.bit, ts_drawn: now }])),
  );
  // Keeps concurrent draws from exceeding the daily limits: the second one finds the increased count.
  const withinLimits = sql<boolean>`game_pack.issued + excluded.issued <= ${sql.lit(GAME_OPEN_PER_DAY_MAX)}
    and game_pack.issued_known + excluded.issued_known <= ${sql.lit(GAME_KNOWN_PER_DAY_MAX)}`;
  const { numInsertedOrUpdatedRows } = await db
    .insertInto("game_pack")
    .values({
      profile_id: viewer.profileId,
      game,
      day: dayOf(now),
      items: json,
      issued: drawn.open.length,
      issued_known: drawn.known.length,
    })
    .onConflict((conflict) =>
      conflict
        .columns(["profile_id", "game", "day"])
        .doUpdateSet({
          items: sql<string>`json_patch(items, excluded.items)`,
          issued: sql<number>`issued + excluded.issued`,
          issued_known: sql<number>`issued_known + excluded.issued_known`,
        })
        .where(withinLimits),
    )
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 0n ? [] : issued.sort((a, b) => a.itemId - b.itemId);
}

/** The item issued to this player under a number and not answered yet. */
export async function findPackItem(
  { db, viewer, now }: MemberContext,
  game: PackGame,
  number: number,
): Promise<(PackItem & { readonly ts_drawn: number }) | undefined> {
  const stored = sql<string>`items -> ${itemPath(number)}`;
  const row = await db
    .selectFrom("game_pack")
    .select(stored.as("item"))
    .where("profile_id", "=", viewer.profileId)
    .where("game", "=", game)
    .where("day", ">=", dayOf(now) - PACK_DAYS_KEPT)
    .where(stored, "is not", null)
    .executeTakeFirst();
  return row && JSON.parse(row.item);
}

export function consumeItemQuery({ db, viewer, now }: MemberContext, game: PackGame, number: number): Query {
  return db
    .updateTable("game_pack")
    .set({ items: sql<string>`json_remove(items, ${itemPath(number)})` })
    .where("profile_id", "=", viewer.profileId)
    .where("game", "=", game)
    .where("day", ">=", dayOf(now) - PACK_DAYS_KEPT);
}

export const itemPath = (number: number): string => `$."${number}"`;

/** Scheduled: empties unfinished packs, and deletes counts that no limit uses anymore. */
export async function deleteOldPacks(db: Database, now: number, limit: number): Promise<boolean> {
  const packs = db.selectFrom("game_pack").select(["profile_id", "game", "day"]);
  const key = (query: typeof packs) => query.limit(limit).$asTuple("profile_id", "game", "day");
  const unfinished = key(packs.where("day", "<", dayOf(now) - PACK_DAYS_KEPT).where("items", "<>", "{}"));
  const outdated = key(packs.where("day", "<=", dayOf(now) - DAYS_COUNTED));
  const emptied = db
    .updateTable("game_pack")
    .set({ items: "{}" })
    .where(({ refTuple, eb }) => eb(refTuple("profile_id", "game", "day"), "in", unfinished));
  const deleted = db
    .deleteFrom("game_pack")
    .where(({ refTuple, eb }) => eb(refTuple("profile_id", "game", "day"), "in", outdated));
  const hasMore = await updateChunk(emptied, limit);
  return (await deleteChunk(deleted, limit)) || hasMore;
}
