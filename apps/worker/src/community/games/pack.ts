/**
 * What a player was handed and has not answered: one can vote on this alone, so nobody chooses what to vote on. One row for each
 * game and day. Items go out under random numbers, which say nothing of what they are, and stand in game_item from the first vote on.
 */
import {
  DAY_MS,
  GAME_KNOWN_PER_DAY_MAX,
  GAME_OPEN_PER_DAY_MAX,
  GAME_OPEN_PER_WEEK_MAX,
  GAME_PACK_SIZE,
} from "@lambda/contract/limits";
import { sql } from "kysely";
import type { Compiled } from "../../platform/db/batch.ts";
import type { Database } from "../../platform/db/database.ts";
import { deletePortion, updatePortion } from "../../platform/db/rounds.ts";
import { AppError } from "../../platform/errors.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import type { VoteGame } from "./record.ts";

/** A picture in one version, a member's text in one version, or a text whose origin is known; and what is shown of it. */
export interface PackItem {
  readonly picture?: number;
  readonly subject?: number;
  readonly version: number;
  readonly body?: string;
  readonly known?: string;
  readonly nsfw?: boolean;
  /** Where it was drawn: on another brand it is nobody's to see. */
  readonly brand?: number;
}

export interface IssuedItem extends PackItem {
  readonly itemId: number;
}

/** Packs of the day before can be played on. */
export const DAYS_KEPT = 1;
/** Days over which what was handed out is counted. */
const DAYS_COUNTED = 7;

export const dayOf = (now: number) => Math.floor(now / DAY_MS);

/** What is left of a player's pack, and how much more there may be today. */
export interface OpenPack {
  readonly left: readonly IssuedItem[];
  readonly openLeft: number;
  readonly knownLeft: number;
  /** Since 1970: the first day on which there is more. */
  readonly nextDay: number;
}

interface PackRow {
  readonly day: number;
  readonly items: string;
  readonly handed: number;
  readonly handed_known: number;
}

/** The player's packs of the last days, to be read by `toOpenPack`. */
export function recentPacksQuery({ db, viewer, now }: MemberContext, game: VoteGame) {
  return db
    .selectFrom("game_pack")
    .select(["day", "items", "handed", "handed_known"])
    .where("profile_id", "=", viewer.profileId)
    .where("game", "=", game)
    .where("day", ">", dayOf(now) - DAYS_COUNTED)
    .compile();
}

export function toOpenPack({ brand, now }: MemberContext, rows: readonly PackRow[]): OpenPack {
  const today = rows.find(({ day }) => day === dayOf(now));
  const handedIn = (until: number) =>
    rows.reduce((sum, { day, handed }) => (day > until - DAYS_COUNTED ? sum + handed : sum), 0);
  let nextDay = dayOf(now) + 1;
  while (handedIn(nextDay) >= GAME_OPEN_PER_WEEK_MAX) nextDay += 1;
  const left = Object.entries(JSON.parse(today?.items ?? "{}") as Record<string, PackItem>);
  const handed = today?.handed ?? 0;
  return {
    left: left.flatMap(([itemId, item]) => (item.brand === brand.bit ? [{ ...item, itemId: Number(itemId) }] : [])),
    openLeft: Math.max(0, Math.min(GAME_OPEN_PER_DAY_MAX - handed, GAME_OPEN_PER_WEEK_MAX - handedIn(dayOf(now)))),
    knownLeft: Math.max(0, GAME_KNOWN_PER_DAY_MAX - (today?.handed_known ?? 0)),
    nextDay,
  };
}

/** Throws TOO_MANY_REQUESTS for who had all of the day or of the week. */
export function requireAllowance({ openLeft, nextDay }: OpenPack, now: number): void {
  if (openLeft > 0) return;
  throw new AppError("TOO_MANY_REQUESTS", {
    retryAfterSeconds: Math.ceil((nextDay * DAY_MS - now) / 1000),
    message: "That is your share for now. There will be more in a day or two.",
  });
}

/** Of open and known items as many as may be handed out now. */
export function chooseItems<Item>(pack: OpenPack, open: readonly Item[], known: readonly Item[], knownPerPack: number) {
  const some = known.slice(0, Math.min(pack.knownLeft, knownPerPack));
  return { known: some, open: open.slice(0, Math.min(pack.openLeft, GAME_PACK_SIZE - some.length)) };
}

/** Remembers what was drawn, with the packs before it, and answers it under its numbers. */
export async function issueItems(
  ctx: MemberContext,
  game: VoteGame,
  drawn: { readonly open: readonly PackItem[]; readonly known: readonly PackItem[] },
): Promise<IssuedItem[]> {
  const items = [...drawn.known, ...drawn.open];
  if (items.length === 0) return [];
  const { db, brand, viewer, now } = ctx;
  const numbers = crypto.getRandomValues(new Uint32Array(items.length));
  const handed = items.map((item, index) => ({ ...item, itemId: (numbers[index] ?? 0) + 1 }));
  const json = JSON.stringify(
    Object.fromEntries(handed.map(({ itemId, ...item }) => [itemId, { ...item, brand: brand.bit, ts_drawn: now }])),
  );
  // Two draws at once would hand out twice: the second one finds that the day's count has grown.
  const counted = sql<boolean>`game_pack.handed + excluded.handed <= ${sql.lit(GAME_OPEN_PER_DAY_MAX)}
    and game_pack.handed_known + excluded.handed_known <= ${sql.lit(GAME_KNOWN_PER_DAY_MAX)}`;
  const { numInsertedOrUpdatedRows } = await db
    .insertInto("game_pack")
    .values({
      profile_id: viewer.profileId,
      game,
      day: dayOf(now),
      items: json,
      handed: drawn.open.length,
      handed_known: drawn.known.length,
    })
    .onConflict((conflict) =>
      conflict
        .columns(["profile_id", "game", "day"])
        .doUpdateSet({
          items: sql<string>`json_patch(items, excluded.items)`,
          handed: sql<number>`handed + excluded.handed`,
          handed_known: sql<number>`handed_known + excluded.handed_known`,
        })
        .where(counted),
    )
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 0n ? [] : handed.sort((a, b) => a.itemId - b.itemId);
}

/** The picture that was handed to this player under a number and is not answered yet. */
export async function findDrawnPicture(ctx: MemberContext, number: number): Promise<number | undefined> {
  const picture = sql<number>`items -> ${pathOf(number)} ->> 'picture'`;
  const row = await ctx.db
    .selectFrom("game_pack")
    .select(picture.as("picture"))
    .where("profile_id", "=", ctx.viewer.profileId)
    .where("game", "=", "rating")
    .where("day", ">=", dayOf(ctx.now) - DAYS_KEPT)
    .where(picture, "is not", null)
    .executeTakeFirst();
  return row?.picture;
}

/** Takes an answered item out of the pack. */
export function consumeItemQuery({ db, viewer, now }: MemberContext, game: VoteGame, number: number): Compiled {
  return db
    .updateTable("game_pack")
    .set({ items: sql<string>`json_remove(items, ${pathOf(number)})` })
    .where("profile_id", "=", viewer.profileId)
    .where("game", "=", game)
    .where("day", ">=", dayOf(now) - DAYS_KEPT)
    .compile();
}

export function pathOf(number: number): string {
  return `$."${number}"`;
}

/** Run by schedule: packs that nobody finished, and counts that no cap asks for any more. */
export async function deleteOldPacks(db: Database, now: number, atOnce: number): Promise<boolean> {
  const packs = db.selectFrom("game_pack").select(["profile_id", "game", "day"]);
  const key = (query: typeof packs) => query.limit(atOnce).$asTuple("profile_id", "game", "day");
  const unfinished = key(packs.where("day", "<", dayOf(now) - DAYS_KEPT).where("items", "<>", "{}"));
  const uncounted = key(packs.where("day", "<=", dayOf(now) - DAYS_COUNTED));
  const emptied = db
    .updateTable("game_pack")
    .set({ items: "{}" })
    .where(({ refTuple, eb }) => eb(refTuple("profile_id", "game", "day"), "in", unfinished));
  const deleted = db
    .deleteFrom("game_pack")
    .where(({ refTuple, eb }) => eb(refTuple("profile_id", "game", "day"), "in", uncounted));
  const isMore = await updatePortion(emptied, atOnce);
  return (await deletePortion(deleted, atOnce)) || isMore;
}
