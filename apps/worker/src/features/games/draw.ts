/**
 * Fair drawing: items come at random, never one's own, seen, blocked, hidden or off this brand, and the player never chooses.
 * It costs the same in a community of any size: random places in the id order, and from each the next that fits.
 */
import { type RawBuilder, sql } from "kysely";
import type { MemberContext } from "../../trpc.ts";
import { visibleTo } from "../visibility/visible.ts";

const SMALL_SPAN = 400;
/** Ids looked at from each random place. */
const STRETCH = 8;
const PLACES = 14;

export interface DrawnPicture {
  readonly picture_id: number;
  readonly owner_id: number;
  readonly version: number;
  readonly nsfw: number;
}

/**
 * Random public pictures of visible members, at most one each, on which `fits` holds (rows `pic`, `p`).
 *
 * @param nsfw whether pictures marked NSFW may come
 */
export async function drawPictures(
  ctx: MemberContext,
  options: { nsfw: boolean; fits?: RawBuilder<boolean>; limit: number },
): Promise<DrawnPicture[]> {
  const { nsfw, fits = sql<boolean>`1 = 1`, limit } = options;
  const open = sql<boolean>`pic.audience = 'public' and pic.hidden_by_staff = 0 and ${visibleTo(ctx)}
    and (${nsfw ? 1 : 0} = 1 or (pic.nsfw_owner = 0 and pic.nsfw_community = 0)) and ${fits}`;
  const ids = await drawIds(ctx, "picture", (place) =>
    place
      ? sql`select pic.id from picture pic join profile p on p.id = pic.profile_id
          where pic.id >= ${place} and pic.id < ${place} + ${sql.lit(STRETCH)} and ${open} order by pic.id limit 1`
      : sql`select pic.id from picture pic join profile p on p.id = pic.profile_id where ${open} order by random() limit ${limit * 2}`,
  );
  if (ids.length === 0) return [];
  const { rows } = await sql<DrawnPicture>`
    select id as picture_id, profile_id as owner_id, version, nsfw_owner | nsfw_community as nsfw from picture
    where id in (select value from json_each(${JSON.stringify(ids)}))`.execute(ctx.db);
  const owners = new Set<number>();
  const drawn = shuffle(rows).filter((row) => !owners.has(row.owner_id) && owners.add(row.owner_id));
  return drawn.slice(0, limit);
}

/** Random visible members on whom `fits` holds (row `p`). */
export async function drawMembers(ctx: MemberContext, fits: RawBuilder<boolean>, limit: number): Promise<number[]> {
  const open = sql<boolean>`${visibleTo(ctx)} and ${fits}`;
  const ids = await drawIds(ctx, "profile", (place) =>
    place
      ? sql`select p.id from profile p where p.id >= ${place} and p.id < ${place} + ${sql.lit(STRETCH)} and ${open} order by p.id limit 1`
      : sql`select p.id from profile p where ${open} order by random() limit ${limit}`,
  );
  return ids.slice(0, limit);
}

async function drawIds(
  ctx: MemberContext,
  table: "picture" | "profile",
  select: (place: RawBuilder<number> | undefined) => RawBuilder<unknown>,
): Promise<number[]> {
  const { rows: spans } = await sql<{ low: number | null; high: number | null }>`
    select (select min(id) from ${sql.table(table)}) as low, (select max(id) from ${sql.table(table)}) as high`.execute(
    ctx.db,
  );
  const { low = null, high = null } = spans[0] ?? {};
  if (low === null || high === null) return [];
  if (high - low <= SMALL_SPAN) {
    const { rows } = await sql<{ id: number }>`${select(undefined)}`.execute(ctx.db);
    return shuffle(rows.map((row) => row.id));
  }
  const places = Array.from({ length: PLACES }, () => low + Math.floor(Math.random() * (high - low + 1)));
  const { rows } = await sql<{ id: number | null }>`
    select distinct (${select(sql<number>`j.value`)}) as id from json_each(${JSON.stringify(places)}) j`.execute(
    ctx.db,
  );
  return shuffle(rows.flatMap((row) => (row.id === null ? [] : [row.id])));
}

export function shuffle<Item>(items: readonly Item[]): Item[] {
  const mixed = [...items];
  for (let index = mixed.length - 1; index > 0; index -= 1) {
    const other = Math.floor(Math.random() * (index + 1));
    [mixed[index], mixed[other]] = [mixed[other]!, mixed[index]!];
  }
  return mixed;
}
