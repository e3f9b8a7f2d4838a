import type { HotItem } from "@lambda/contract/games";
import { GAME_PACK_SIZE } from "@lambda/contract/limits";
import { sql } from "kysely";
import type { MemberContext } from "../../platform/trpc.ts";
import { drawWithRetry, randomPictures } from "./draw.ts";

/** Members read for a pack, up to three rows each if the player has rated them all. */
const MEMBERS_READ = 18;

/** Draws pictures for Hot! or Not! that the player has not rated yet. */
export async function drawHotItems(ctx: MemberContext, nsfw: boolean): Promise<HotItem[]> {
  const fits = sql<boolean>`not exists (select 1 from picture_like l
    where l.liker_id = ${ctx.viewer.profileId} and l.picture_id = pic.id)`;
  const rows = await drawWithRetry({ size: MEMBERS_READ, enough: 1 }, (sample) =>
    randomPictures(ctx, sample, { nsfw, fits, limit: GAME_PACK_SIZE }).execute(),
  );
  return rows.map((row) => ({ pictureId: row.picture_id, profileId: row.owner_id, nsfw: row.nsfw === 1 }));
}
