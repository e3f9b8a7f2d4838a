import type { CropBox, CropSuggestion, CropTask } from "@lambda/contract/games";
import { CREDITS_CROP_APPLIED, GAME_PACK_SIZE, PICTURE_CROP_ASPECT } from "@lambda/contract/limits";
import { type RawBuilder, sql } from "kysely";
import { visibleTo } from "../../members/visibility/visibility.ts";
import { inEachLocale } from "../../platform/copy.ts";
import { batch, type Compiled } from "../../platform/db/batch.ts";
import { AppError } from "../../platform/errors.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import { notify } from "../../social/notifications/notify.ts";
import { albumPictureOpenTo, findOpenPicture } from "../../social/pictures/access.ts";
import { awardCredits } from "../credits/ledger.ts";
import { gamesCopy } from "./copy.ts";

/** A crop may miss the aspect by this part: boxes are drawn with fingers. */
const ASPECT_TOLERANCE = 0.02;

/** Pictures whose owners asked for help and which this member did not answer yet. */
export async function listCropTasks(ctx: MemberContext, nsfw: boolean): Promise<CropTask[]> {
  const { rows } = await sql<{ id: number; width: number; height: number; nsfw: number }>`
    select pic.id, pic.width, pic.height, pic.nsfw_owner | pic.nsfw_community as nsfw
    from picture pic indexed by picture_wants_crop join profile p on p.id = pic.profile_id
    where pic.wants_crop = 1 and pic.audience = 'public' and ${albumPictureOpenTo(ctx)}
      and (${nsfw ? 1 : 0} = 1 or (pic.nsfw_owner = 0 and pic.nsfw_community = 0))
      and not exists (select 1 from crop_suggestion s where s.picture_id = pic.id and s.version = pic.version and s.author_id = ${ctx.viewer.profileId})
    order by pic.id desc limit ${sql.lit(GAME_PACK_SIZE)}`.execute(ctx.db);
  return rows.map((row) => ({ pictureId: row.id, width: row.width, height: row.height, nsfw: row.nsfw === 1 }));
}

/**
 * Stores a suggestion and notifies the owner once; a later one of the same author replaces it. Throws NOT_FOUND when nobody
 * asks (any more), BAD_INPUT for another aspect.
 */
export async function suggestCrop(ctx: MemberContext, pictureId: number, box: CropBox): Promise<CropSuggestion> {
  const picture = await findOpenPicture(ctx, pictureId);
  if (!picture || picture.own) throw new AppError("NOT_FOUND");
  const row = await ctx.db
    .selectFrom("picture")
    .select(["wants_crop", "width", "height", "version", "profile_id"])
    .where("id", "=", pictureId)
    .executeTakeFirst();
  if (!row || row.wants_crop === 0) throw new AppError("NOT_FOUND");
  const aspect = (box.width * row.width) / (box.height * row.height);
  const inside = box.x + box.width <= 1.0001 && box.y + box.height <= 1.0001;
  if (!inside || Math.abs(aspect / PICTURE_CROP_ASPECT - 1) > ASPECT_TOLERANCE) {
    throw new AppError("BAD_INPUT", {
      field: "width",
      message: "width: the box must be 4:5 and inside of the picture",
    });
  }
  const { x, y, width, height } = box;
  const author = ctx.viewer.profileId;
  const inserted = await ctx.db
    .insertInto("crop_suggestion")
    .values({
      picture_id: pictureId,
      version: row.version,
      owner_id: row.profile_id,
      author_id: author,
      x,
      y,
      width,
      height,
      ts_created: ctx.now,
    })
    .onConflict((conflict) => conflict.columns(["picture_id", "version", "author_id"]).doNothing())
    .returning("id")
    .executeTakeFirst();
  if (inserted) {
    await notify(ctx, {
      profileId: row.profile_id,
      kind: "crop",
      bodyText: inEachLocale(gamesCopy, (text) => text.cropSuggested),
      url: "/games/photocrop?tab=mine",
    });
  } else {
    await ctx.db
      .updateTable("crop_suggestion")
      .set({ x, y, width, height })
      .where("picture_id", "=", pictureId)
      .where("version", "=", row.version)
      .where("author_id", "=", author)
      .execute();
  }
  const [suggestion] = await listSuggestions(
    ctx,
    sql`s.picture_id = ${pictureId} and s.version = ${row.version} and s.author_id = ${author}`,
  );
  if (!suggestion) throw new AppError("NOT_FOUND");
  return suggestion;
}

/** Open suggestions for own pictures as they are now; who made them stays unsaid. */
export function listOwnSuggestions(ctx: MemberContext): Promise<CropSuggestion[]> {
  return listSuggestions(
    ctx,
    sql`s.owner_id = ${ctx.viewer.profileId} and s.state = 'open' and pic.version = s.version`,
  );
}

interface SuggestionRow {
  readonly id: number;
  readonly picture_id: number;
  readonly pic_width: number;
  readonly pic_height: number;
  readonly nsfw: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly state: CropSuggestion["state"];
  readonly ts_created: number;
}

/** Suggestions `s` for pictures `pic`, oldest first. */
async function listSuggestions(ctx: MemberContext, which: RawBuilder<unknown>): Promise<CropSuggestion[]> {
  const { rows } = await sql<SuggestionRow>`
    select s.id, s.picture_id, pic.width as pic_width, pic.height as pic_height, pic.nsfw_owner | pic.nsfw_community as nsfw,
      s.x, s.y, s.width, s.height, s.state, s.ts_created
    from crop_suggestion s join picture pic on pic.id = s.picture_id where ${which} order by s.id limit 50`.execute(
    ctx.db,
  );
  return rows.map((row) => ({
    id: row.id,
    pictureId: row.picture_id,
    width: row.pic_width,
    height: row.pic_height,
    nsfw: row.nsfw === 1,
    box: { x: row.x, y: row.y, width: row.width, height: row.height },
    state: row.state,
    tsCreated: new Date(row.ts_created).toISOString(),
  }));
}

/**
 * The owner's verdict. An applied crop is a newer version of the picture by then; its author is thanked and paid, unless the
 * author may not see the owner (any more) and would learn of a visit.
 */
export async function closeSuggestion(ctx: MemberContext, id: number, applied: boolean): Promise<CropSuggestion> {
  const { db, viewer } = ctx;
  const row = await db
    .selectFrom("crop_suggestion as s")
    .innerJoin("picture as pic", "pic.id", "s.picture_id")
    .select(["s.author_id", "s.picture_id", "s.version", "pic.version as current"])
    .where("s.id", "=", id)
    .where("s.owner_id", "=", viewer.profileId)
    .where("s.state", "=", "open")
    .executeTakeFirst();
  if (!row) throw new AppError("NOT_FOUND");
  if (applied && row.current === row.version) throw new AppError("CONFLICT");
  const state = applied ? ("applied" as const) : ("declined" as const);
  const queries: Compiled[] = [db.updateTable("crop_suggestion").set({ state }).where("id", "=", id).compile()];
  const thanked = applied && (await seesOwner(ctx, row.author_id));
  if (applied) {
    queries.push(db.updateTable("picture").set({ wants_crop: 0 }).where("id", "=", row.picture_id).compile());
  }
  if (thanked) queries.push(awardCredits(ctx, row.author_id, "crop", String(id), CREDITS_CROP_APPLIED));
  await batch(ctx.d1, queries);
  if (thanked) {
    await notify(ctx, {
      profileId: row.author_id,
      kind: "crop",
      aboutId: viewer.profileId,
      bodyText: inEachLocale(gamesCopy, (text) => text.cropApplied),
      url: "/games/photocrop",
    });
  }
  const [suggestion] = await listSuggestions(ctx, sql`s.id = ${id}`);
  if (!suggestion) throw new AppError("NOT_FOUND");
  return suggestion;
}

/** Whether the author of a suggestion may see the picture's owner, who asks. */
async function seesOwner({ db, brand, viewer }: MemberContext, authorId: number): Promise<boolean> {
  const author = { brand, viewer: { profileId: authorId } };
  const { rows } = await sql`select 1 from profile p where p.id = ${viewer.profileId} and ${visibleTo(author)}`.execute(
    db,
  );
  return rows.length > 0;
}
