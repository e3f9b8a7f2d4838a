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
import { visibleTo } from "../../members/visibility/visibility.ts";
import { batch, type Compiled } from "../../platform/db/batch.ts";
import type { Database } from "../../platform/db/database.ts";
import type { GameItemTable } from "../../platform/db/tables.ts";
import { AppError } from "../../platform/errors.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import { type PlayerRow, playerQuery, type VoteGame } from "./record.ts";

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
const DAYS_KEPT = 1;
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
  return sql<PackRow>`select day, items, handed, handed_known from game_pack
    where profile_id = ${viewer.profileId} and game = ${game} and day > ${dayOf(now) - DAYS_COUNTED}`.compile(db);
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
  const counted = sql`game_pack.handed + excluded.handed <= ${sql.lit(GAME_OPEN_PER_DAY_MAX)}
    and game_pack.handed_known + excluded.handed_known <= ${sql.lit(GAME_KNOWN_PER_DAY_MAX)}`;
  const { numAffectedRows } = await sql`insert into game_pack (profile_id, game, day, items, handed, handed_known)
    values (${viewer.profileId}, ${game}, ${dayOf(now)}, ${json}, ${drawn.open.length}, ${drawn.known.length})
    on conflict (profile_id, game, day) do update set items = json_patch(items, excluded.items),
      handed = handed + excluded.handed, handed_known = handed_known + excluded.handed_known where ${counted}`.execute(
    db,
  );
  return numAffectedRows === 0n ? [] : handed.sort((a, b) => a.itemId - b.itemId);
}

export interface OpenItem
  extends Pick<
    GameItemTable,
    | "game"
    | "picture_id"
    | "subject_id"
    | "version"
    | "known"
    | "answer"
    | "staff_why"
    | "ts_review_asked"
    | "ts_decided"
  > {
  readonly id: number;
  readonly votes: number;
  readonly tally: string;
  readonly by_staff: 0 | 1;
  readonly ts_drawn: number;
  /** Proven players of the game who voted lately, as counted last night. */
  readonly voters: number | null;
}

/**
 * The item that was issued to this player under a number, as a row of game_item, which is made here, and the player's record.
 * Throws NOT_FOUND for any other number, and for what is gone or not visible to the player any more.
 */
export async function openItem(
  ctx: MemberContext,
  game: VoteGame,
  number: number,
): Promise<{ readonly item: OpenItem; readonly player: PlayerRow }> {
  const { db, viewer, now } = ctx;
  const handed = sql`(select items -> ${pathOf(number)} as e from game_pack
    where profile_id = ${viewer.profileId} and game = ${game} and day >= ${dayOf(now) - DAYS_KEPT} and e is not null)`;
  // A pack lives up to two days: what was hidden, blocked or taken back since it was drawn is not judged any more.
  const open = sql`pic.audience = 'public' and pic.hidden_by_staff = 0 and ${visibleTo(ctx)}`;
  const make =
    game === "rating"
      ? sql`select 'rating', pic.id, pic.profile_id, e ->> 'version', '', null, ${now}
          from ${handed} cross join picture pic on pic.id = e ->> 'picture' cross join profile p on p.id = pic.profile_id
          where ${open}`
      : sql`select 'buster', null, p.id, e ->> 'version', ifnull(e ->> 'body', ''), e ->> 'known', ${now}
          from ${handed} left join profile p on p.id = e ->> 'subject' where e ->> 'subject' is null or ${visibleTo(ctx)}`;
  const columns = sql`i.*, e ->> 'ts_drawn' as ts_drawn, (select voters from game_pool g where g.game = i.game) as voters`;
  const find =
    game === "rating"
      ? sql`select ${columns} from ${handed} cross join game_item i
          on i.game = 'rating' and i.picture_id = e ->> 'picture' and i.version = e ->> 'version'
          cross join picture pic on pic.id = i.picture_id cross join profile p on p.id = pic.profile_id where ${open}`
      : sql`select ${columns} from ${handed} cross join game_item i indexed by game_item_text
          on i.game = 'buster' and i.subject_id = e ->> 'subject' and i.version = e ->> 'version'
          cross join profile p on p.id = i.subject_id where ${visibleTo(ctx)}
        union all
        select ${columns} from ${handed} cross join game_item i indexed by game_item_known_text
          on i.game = 'buster' and i.subject_id is null and i.body = e ->> 'body'`;
  const [, [item], [player]] = await batch<[unknown[], OpenItem[], PlayerRow[]]>(ctx.d1, [
    sql`insert into game_item (game, picture_id, subject_id, version, body, known, ts_created) ${make}
      on conflict do nothing`.compile(db),
    find.compile(db),
    playerQuery(ctx, game),
  ]);
  if (!item || !player) {
    // It would be dealt again and again.
    await batch(ctx.d1, [consumeItemQuery(ctx, game, number)]);
    throw new AppError("NOT_FOUND");
  }
  return { item, player };
}

/** The picture that was handed to this player under a number and is not answered yet. */
export async function findDrawnPicture(ctx: MemberContext, number: number): Promise<number | undefined> {
  const { rows } = await sql<{
    picture: number;
  }>`select items -> ${pathOf(number)} ->> 'picture' as picture from game_pack
    where profile_id = ${ctx.viewer.profileId} and game = 'rating' and day >= ${dayOf(ctx.now) - DAYS_KEPT}
      and picture is not null`.execute(ctx.db);
  return rows[0]?.picture;
}

/** Takes an answered item out of the pack. */
export function consumeItemQuery({ db, viewer, now }: MemberContext, game: VoteGame, number: number): Compiled {
  return sql`update game_pack set items = json_remove(items, ${pathOf(number)})
    where profile_id = ${viewer.profileId} and game = ${game} and day >= ${dayOf(now) - DAYS_KEPT}`.compile(db);
}

function pathOf(number: number): string {
  return `$."${number}"`;
}

/** Run by schedule: packs that nobody finished, and counts that no cap asks for any more. */
export async function deleteOldPacks(db: Database, now: number): Promise<void> {
  await db
    .updateTable("game_pack")
    .set({ items: "{}" })
    .where("day", "<", dayOf(now) - DAYS_KEPT)
    .where("items", "<>", "{}")
    .execute();
  await db
    .deleteFrom("game_pack")
    .where("day", "<=", dayOf(now) - DAYS_COUNTED)
    .execute();
}
