/**
 * Random draws of visible members. drawable_member holds them in a secret random order; a draw starts at a random place and takes the next
 * matching ones, so that its cost does not depend on the size of the community. For voting games the start is fixed per player and day, so
 * that players cannot choose by drawing again.
 */
import { type RawBuilder, sql } from "kysely";
import { ageAllowsPicture } from "../accounts/age/explicit-pictures.ts";
import { isOpen } from "../pictures/hidden.ts";
import { mac } from "../platform/keys.ts";
import { shuffle } from "../platform/shuffle.ts";
import type { MemberContext } from "../platform/trpc.ts";
import { randomMembers, type Sample } from "./statements/draws.ts";

/** Upper bound of `profile.random_order`. */
const MEMBER_ORDER_END = 2 ** 32;
/** Members read in a second attempt: in a small community a player has judged nearly everything. */
const RETRY_SIZE = 100;

type SampleStart = Pick<Sample, "start" | "pictureSeed">;

/** The secret start of a player's draws on a day, so that drawing again gives the same items. */
export function dailyStart({ env, viewer }: MemberContext, game: string, day: number): SampleStart {
  const digest = mac(env, "draw", `${game}:${viewer.profileId}:${day}`);
  return { start: digest.readUInt32BE(0), pictureSeed: digest.readUInt32BE(4) };
}

/** Draws, and draws again from more members if fewer than `enough` were found. Returns the last draw, shuffled. */
export async function drawWithRetry<Row>(
  first: { readonly size: number; readonly enough: number; readonly from?: SampleStart; readonly second?: number },
  read: (sample: Sample) => Promise<readonly Row[]>,
): Promise<Row[]> {
  const { start, pictureSeed } = first.from ?? {
    start: Math.floor(Math.random() * MEMBER_ORDER_END),
    pictureSeed: Math.floor(Math.random() * MEMBER_ORDER_END),
  };
  const found = await read({ size: first.size, start, pictureSeed });
  return shuffle(
    found.length >= first.enough
      ? found
      : await read({ size: first.second ?? RETRY_SIZE, start, pictureSeed: pictureSeed + 1 }),
  );
}

/** One of the public pictures of a member `m`. Casts the seed, because D1 binds numbers as reals and a JSON list has no index 1.0. */
export function pictureOfSample(pictureSeed: number): RawBuilder<number> {
  return sql`m.pics_public ->> ((m.random_order + cast(${pictureSeed} as integer)) % json_array_length(m.pics_public))`;
}

/**
 * Whether a `picture` row of a visible owner may be shown to the player. Excludes pictures that would be pixelated because the player's age is
 * not proved.
 */
export function isShowable(ctx: MemberContext, nsfw: boolean, picture = "pic"): RawBuilder<boolean> {
  const column = (name: string) => sql.ref(`${picture}.${name}`);
  const clear = ageAllowsPicture(ctx, picture);
  return sql<boolean>`(${column("audience")} = 'public' and ${isOpen(picture)}
    and (${nsfw ? 1 : 0} = 1 or (${column("nsfw_owner")} = 0 and ${column("nsfw_community")} = 0))${clear ? sql` and ${clear}` : sql``})`;
}

/**
 * Random public pictures of visible members, at most one each, for which `fits` holds (row `pic`).
 *
 * @param nsfw whether to include pictures marked NSFW
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
    .where(isShowable(ctx, nsfw))
    .where(fits)
    .limit(limit);
}
