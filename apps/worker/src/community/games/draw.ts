/**
 * Fair drawing: members come at random, never oneself, blocked, hidden or off this brand, and the player never chooses. They
 * stand in drawable_member in a random order that nobody knows; a draw starts anywhere in it and takes the next that fit,
 * so it costs the same in a community of any size. Where votes follow, the start is the player's for the whole day: asking
 * again brings the same.
 */
import { createHmac } from "node:crypto";
import { type RawBuilder, sql } from "kysely";
import { visibleTo } from "../../members/visibility/visibility.ts";
import type { MemberContext } from "../../platform/trpc.ts";

/** random_order is below this. */
const KEYS = 2 ** 32;
/** Members read when the first draw found too little: in a small community a player has judged nearly everything. */
const RETRY_SIZE = 100;

/** Bits of profile.drawn_as, as schema.sql computes them: public pictures, several of them, a text of GUESSED_TEXT_MIN_CHARS. */
const DRAWN_AS = { pictured: 1, recognisable: 2, described: 4 } as const;

/**
 * Random visible members who have pictures or a text, as a table of the given columns of their profile `p`, or of
 * `d.pics_public` for members with pictures.
 *
 * @param sample how many are read, before blocked ones drop out, and from where
 */
export function randomMembers(
  ctx: MemberContext,
  kind: keyof typeof DRAWN_AS,
  columns: RawBuilder<unknown>,
  { size, start }: Pick<Sample, "size" | "start">,
): RawBuilder<unknown> {
  const from = kind === "pictured" ? sql`` : sql`cross join profile p on p.id = d.profile_id`;
  // A row is there where its brand lists the member; the rule is asked all the same.
  const part = (keys: RawBuilder<unknown>) =>
    sql`select * from (select d.profile_id as id, d.brand as listed_on, d.random_order, ${columns} from drawable_member d ${from}
      where d.brand = ${ctx.brand.bit} and d.drawn_as = ${DRAWN_AS[kind]} and ${keys} order by d.random_order limit ${size})`;
  return sql`(select * from (${part(sql`d.random_order >= ${start}`)} union all ${part(sql`d.random_order < ${start}`)} limit ${size}) p
    where ${visibleTo(ctx)})`;
}

export interface Sample {
  /** Members to read. */
  readonly size: number;
  /** Where in their order. */
  readonly start: number;
  /** Which of a member's pictures: another one with each sample. */
  readonly pictureSeed: number;
}

type SampleStart = Pick<Sample, "start" | "pictureSeed">;

const anywhere = (): SampleStart => ({
  start: Math.floor(Math.random() * KEYS),
  pictureSeed: Math.floor(Math.random() * KEYS),
});

/** Where a player's draws of a day begin: nobody knows, and asking again changes nothing. */
export function dailyStart({ env, viewer }: MemberContext, game: string, day: number): SampleStart {
  const digest = createHmac("sha256", env.POSITION_KEY).update(`draw:${game}:${viewer.profileId}:${day}`).digest();
  return { start: digest.readUInt32BE(0), pictureSeed: digest.readUInt32BE(4) };
}

/** Draws once, and once more and wider when fewer were found than `enough`. Answers the last draw, shuffled. */
export async function drawWithRetry<Row>(
  first: { readonly size: number; readonly enough: number; readonly from?: SampleStart; readonly second?: number },
  read: (sample: Sample) => Promise<readonly Row[]>,
): Promise<Row[]> {
  const { start, pictureSeed } = first.from ?? anywhere();
  const found = await read({ size: first.size, start, pictureSeed });
  return shuffle(
    found.length >= first.enough
      ? found
      : await read({ size: first.second ?? RETRY_SIZE, start, pictureSeed: pictureSeed + 1 }),
  );
}

/** One of the public pictures of a member `m`. Cast, as D1 binds numbers as reals, and a list has no place 1.0. */
export function pictureOfSample(pictureSeed: number): RawBuilder<number> {
  return sql`m.pics_public ->> ((m.random_order + cast(${pictureSeed} as integer)) % json_array_length(m.pics_public))`;
}

/** A picture that others may be shown: a condition on a `picture` row whose owner is visible. */
export function showable(nsfw: boolean, picture = "pic"): RawBuilder<boolean> {
  const column = (name: string) => sql.ref(`${picture}.${name}`);
  return sql<boolean>`(${column("audience")} = 'public' and ${column("hidden_by_staff")} = 0
    and (${nsfw ? 1 : 0} = 1 or (${column("nsfw_owner")} = 0 and ${column("nsfw_community")} = 0)))`;
}

export interface DrawnPicture {
  readonly picture_id: number;
  readonly owner_id: number;
  readonly version: number;
  readonly nsfw: number;
}

export const DRAWN_PICTURE_COLUMNS = sql`pic.id as picture_id, pic.profile_id as owner_id, pic.version, pic.nsfw_owner | pic.nsfw_community as nsfw`;

/**
 * Random public pictures of visible members, at most one each, on which `fits` holds (row `pic`).
 *
 * @param nsfw whether pictures marked NSFW may come
 */
export function randomPictures(
  ctx: MemberContext,
  sample: Sample,
  { nsfw, fits, limit }: { readonly nsfw: boolean; readonly fits: RawBuilder<boolean>; readonly limit: number },
): RawBuilder<DrawnPicture> {
  return sql<DrawnPicture>`
    select ${DRAWN_PICTURE_COLUMNS} from ${randomMembers(ctx, "pictured", sql`d.pics_public`, sample)} m
    cross join picture pic on pic.id = ${pictureOfSample(sample.pictureSeed)}
    where ${showable(nsfw)} and ${fits} limit ${limit}`;
}

export function shuffle<Item>(items: readonly Item[]): Item[] {
  const mixed = [...items];
  for (let index = mixed.length - 1; index > 0; index -= 1) {
    const other = Math.floor(Math.random() * (index + 1));
    [mixed[index], mixed[other]] = [mixed[other]!, mixed[index]!];
  }
  return mixed;
}
