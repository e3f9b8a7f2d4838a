/**
 * What a player was handed and has not answered: he can vote on this alone, so nobody chooses what he votes on. One row for each game
 * and day. Items go out under random numbers, which say nothing of what they are, and stand in game_item from the first vote on.
 */
import { DAY_MS } from "@lambda/contract/limits";
import { sql } from "kysely";
import { batch, type Compiled } from "../../db/batch.ts";
import type { Database } from "../../db/database.ts";
import { AppError } from "../../errors.ts";
import type { MemberContext } from "../../trpc.ts";
import { visibleTo } from "../visibility/visible.ts";
import { findRecord, type RecordRow, type VoteGame } from "./record.ts";

/** A picture in one version, a member's text in one version, or a text whose origin is known. */
interface PackedItem {
  readonly picture?: number;
  readonly subject?: number;
  readonly version: number;
  readonly body?: string;
  readonly known?: string;
}

/** JSON of a day's open items, some hundred; beyond it the older ones are forgotten. */
const OPEN_MAX_CHARS = 20_000;
/** Packs of the day before can be played on. */
const DAYS_KEPT = 1;

const dayOf = (now: number) => Math.floor(now / DAY_MS);

/** Remembers what was drawn, with the packs before it, and answers what the player is shown. */
export async function handOut<Shown>(
  ctx: MemberContext,
  game: VoteGame,
  drawn: readonly { readonly item: PackedItem; readonly shown: Shown }[],
): Promise<(Shown & { itemId: number })[]> {
  if (drawn.length === 0) return [];
  const { db, viewer, now } = ctx;
  const numbers = crypto.getRandomValues(new Uint32Array(drawn.length));
  const pack = drawn.map((entry, index) => ({ ...entry, itemId: (numbers[index] ?? 0) + 1 }));
  const items = JSON.stringify(
    Object.fromEntries(pack.map(({ itemId, item }) => [itemId, { ...item, ts_drawn: now }])),
  );
  await sql`insert into game_pack (profile_id, game, day, items) values (${viewer.profileId}, ${game}, ${dayOf(now)}, ${items})
    on conflict (profile_id, game, day) do update set
      items = iif(length(items) > ${sql.lit(OPEN_MAX_CHARS)}, excluded.items, json_patch(items, excluded.items))`.execute(
    db,
  );
  return pack.map(({ itemId, shown }) => ({ ...shown, itemId }));
}

interface OpenItem {
  /** Of game_item. */
  readonly id: number;
  readonly known: string | null;
  readonly answer: string | null;
  readonly ts_drawn: number;
}

/**
 * The item of a number that was handed to this player in this game, as a row of game_item, which is made here, and how he stands.
 * Throws NOT_FOUND for any other number, and for what is gone or out of his sight meanwhile.
 */
export async function openItem(
  ctx: MemberContext,
  game: VoteGame,
  number: number,
): Promise<{ readonly item: OpenItem; readonly player: RecordRow | undefined }> {
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
  const columns = sql`i.id, i.known, i.answer, e ->> 'ts_drawn' as ts_drawn`;
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
  const [, [item], [player]] = await batch<[unknown[], OpenItem[], RecordRow[]]>(ctx.d1, [
    sql`insert into game_item (game, picture_id, subject_id, version, body, known, ts_created) ${make}
      on conflict do nothing`.compile(db),
    find.compile(db),
    findRecord(ctx, game),
  ]);
  if (!item) throw new AppError("NOT_FOUND");
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

/** Out of the pack: answered. */
export function takeOut({ db, viewer, now }: MemberContext, game: VoteGame, number: number): Compiled {
  return sql`update game_pack set items = json_remove(items, ${pathOf(number)})
    where profile_id = ${viewer.profileId} and game = ${game} and day >= ${dayOf(now) - DAYS_KEPT}`.compile(db);
}

function pathOf(number: number): string {
  return `$."${number}"`;
}

/** Run by schedule: packs that nobody finished. */
export function deleteOldPacks(db: Database, now: number) {
  return db
    .deleteFrom("game_pack")
    .where("day", "<", dayOf(now) - DAYS_KEPT)
    .execute();
}
