/**
 * Fair drawing: members come at random, never oneself, blocked, hidden or off this brand, and the player never chooses. They
 * stand in drawable_member in a random order that nobody knows; a draw starts anywhere in it and takes the next that fit,
 * so it costs the same in a community of any size. Where votes follow, the start is the player's for the whole day: asking
 * again brings the same.
 */
import { createHmac } from "node:crypto";
import { type RawBuilder, sql } from "kysely";
import { clearFor } from "../../members/age/cover.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import { type Sample, shuffle } from "./sample.ts";
import { randomMembers } from "./statements/draws.ts";

/** random_order is below this. */
const KEYS = 2 ** 32;
/** Members read when the first draw found too little: in a small community a player has judged nearly everything. */
const RETRY_SIZE = 100;

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

/**
 * A picture that the player may be shown: a condition on a `picture` row whose owner is visible. Nobody is asked about squares: what is
 * pixelated until a player's age is proved does not come.
 */
export function showable(ctx: MemberContext, nsfw: boolean, picture = "pic"): RawBuilder<boolean> {
  const column = (name: string) => sql.ref(`${picture}.${name}`);
  const clear = clearFor(ctx, picture);
  return sql<boolean>`(${column("audience")} = 'public' and ${column("hidden_by_staff")} = 0
    and (${nsfw ? 1 : 0} = 1 or (${column("nsfw_owner")} = 0 and ${column("nsfw_community")} = 0))${clear ? sql` and ${clear}` : sql``})`;
}

/**
 * Random public pictures of visible members, at most one each, on which `fits` holds (row `pic`).
 *
 * @param nsfw whether pictures marked NSFW may come
 */
export function randomPictures(
  ctx: MemberContext,
  sample: Sample,
  { nsfw, fits, limit }: { readonly nsfw: boolean; readonly fits: RawBuilder<boolean>; readonly limit: number },
) {
  return ctx.db
    .selectFrom(randomMembers<object>(ctx, "pictured", sql`d.pics_public`, sample))
    .crossJoin("picture as pic")
    .select(["pic.id as picture_id", "pic.profile_id as owner_id", "pic.version"])
    .select(sql<number>`pic.nsfw_owner | pic.nsfw_community`.as("nsfw"))
    .where("pic.id", "=", pictureOfSample(sample.pictureSeed))
    .where(showable(ctx, nsfw))
    .where(fits)
    .limit(limit);
}
