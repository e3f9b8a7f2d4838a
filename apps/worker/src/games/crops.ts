import type { CropBox, CropSuggestion, CropTask } from "@lambda/contract/games";
import { CREDITS_CROP_APPLIED, GAME_PACK_SIZE, PICTURE_CROP_ASPECT } from "@lambda/contract/limits";
import { type RawBuilder, sql } from "kysely";
import { ageAllowsPicture } from "../accounts/age/explicit-pictures.ts";
import { notify } from "../notifications/notify.ts";
import { albumPictureOpenTo, findVisiblePicture } from "../pictures/access.ts";
import { inEachLocale } from "../platform/copy.ts";
import { batch, hasRow, indexedBy, type Query } from "../platform/db/database.ts";
import { AppError, notFound } from "../platform/errors.ts";
import { toIso } from "../platform/iso-time.ts";
import type { MemberContext } from "../platform/trpc.ts";
import { visibleTo } from "../visibility/visibility.ts";
import { gamesCopy } from "./copy.ts";
import { awardCreditsQuery } from "./credits/ledger.ts";

/** Relative tolerance of the aspect ratio: boxes are drawn by finger. */
const ASPECT_TOLERANCE = 0.02;

const NSFW = sql<number>`pic.nsfw_owner | pic.nsfw_community`.as("nsfw");

/** Pictures whose owners want a better crop and for which this member has no suggestion yet. */
export async function listCropTasks(ctx: MemberContext, nsfw: boolean): Promise<CropTask[]> {
  const answered = sql<boolean>`exists (select 1 from crop_suggestion s
    where s.picture_id = pic.id and s.version = pic.version and s.author_id = ${ctx.viewer.profileId})`;
  let query = ctx.db
    .selectFrom(indexedBy("picture", "pic", "picture_wants_crop"))
    .innerJoin("profile as p", "p.id", "pic.profile_id")
    .select(["pic.id", "pic.width", "pic.height", NSFW])
    .where("pic.wants_crop", "=", sql.lit(1))
    .where("pic.audience", "=", "public")
    .where(albumPictureOpenTo(ctx))
    .where(sql<boolean>`not ${answered}`)
    .orderBy("pic.id", "desc")
    .limit(GAME_PACK_SIZE);
  if (!nsfw) query = query.where("pic.nsfw_owner", "=", 0).where("pic.nsfw_community", "=", 0);
  const clear = ageAllowsPicture(ctx);
  if (clear) query = query.where(clear);
  const rows = await query.execute();
  return rows.map((row) => ({ pictureId: row.id, width: row.width, height: row.height, nsfw: row.nsfw === 1 }));
}

/**
 * Stores a suggestion and notifies the owner once; a later one by the same author replaces it. Throws NOT_FOUND if the owner does not want
 * suggestions, BAD_INPUT for a wrong aspect ratio.
 */
export async function suggestCrop(ctx: MemberContext, pictureId: number, box: CropBox): Promise<CropSuggestion> {
  const picture = await findVisiblePicture(ctx, pictureId);
  if (!picture || picture.own) throw new AppError("NOT_FOUND");
  const row = await ctx.db
    .selectFrom("picture")
    .select(["wants_crop", "width", "height", "version", "profile_id"])
    .where("id", "=", pictureId)
    .executeTakeFirst();
  if (!row || row.wants_crop === 0) throw new AppError("NOT_FOUND");
  requireValidBox(box, row);
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
  return getSuggestion(
    ctx,
    sql<boolean>`s.picture_id = ${pictureId} and s.version = ${row.version} and s.author_id = ${author}`,
  );
}

/** Throws BAD_INPUT unless the box has the right aspect ratio and is inside the picture. */
function requireValidBox(box: CropBox, picture: { readonly width: number; readonly height: number }): void {
  const aspect = (box.width * picture.width) / (box.height * picture.height);
  const isInside = box.x + box.width <= 1.0001 && box.y + box.height <= 1.0001;
  if (!isInside || Math.abs(aspect / PICTURE_CROP_ASPECT - 1) > ASPECT_TOLERANCE) {
    throw new AppError("BAD_INPUT", {
      field: "width",
      message: "width: the box must be 4:5 and inside of the picture",
    });
  }
}

/** Open suggestions for the current versions of own pictures, without their authors. */
export function listOwnSuggestions(ctx: MemberContext): Promise<CropSuggestion[]> {
  return listSuggestions(
    ctx,
    sql<boolean>`s.owner_id = ${ctx.viewer.profileId} and s.state = 'open' and pic.version = s.version`,
  );
}

async function getSuggestion(ctx: MemberContext, condition: RawBuilder<boolean>): Promise<CropSuggestion> {
  const [suggestion] = await listSuggestions(ctx, condition);
  if (!suggestion) throw new AppError("NOT_FOUND");
  return suggestion;
}

/** Suggestions `s` for pictures `pic`, oldest first. */
async function listSuggestions(ctx: MemberContext, condition: RawBuilder<boolean>): Promise<CropSuggestion[]> {
  const rows = await ctx.db
    .selectFrom("crop_suggestion as s")
    .innerJoin("picture as pic", "pic.id", "s.picture_id")
    .select(["s.id", "s.picture_id", "pic.width as pic_width", "pic.height as pic_height", NSFW])
    .select(["s.x", "s.y", "s.width", "s.height", "s.state", "s.ts_created"])
    .where(condition)
    .orderBy("s.id")
    .limit(50)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    pictureId: row.picture_id,
    width: row.pic_width,
    height: row.pic_height,
    nsfw: row.nsfw === 1,
    box: { x: row.x, y: row.y, width: row.width, height: row.height },
    state: row.state,
    tsCreated: toIso(row.ts_created),
  }));
}

/**
 * Applies or declines a suggestion. An applied crop must already be a newer version of the picture; its author is thanked and paid, unless
 * they may not see the owner, whose visit the thanks would reveal.
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
    .executeTakeFirstOrThrow(notFound);
  if (applied && row.current === row.version) throw new AppError("CONFLICT");
  const state = applied ? ("applied" as const) : ("declined" as const);
  const queries: Query[] = [db.updateTable("crop_suggestion").set({ state }).where("id", "=", id)];
  const isThanked = applied && (await canSeeOwner(ctx, row.author_id));
  if (applied) queries.push(db.updateTable("picture").set({ wants_crop: 0 }).where("id", "=", row.picture_id));
  if (isThanked) queries.push(awardCreditsQuery(ctx, row.author_id, "crop", String(id), CREDITS_CROP_APPLIED));
  await batch(ctx.d1, queries);
  if (isThanked) {
    await notify(ctx, {
      profileId: row.author_id,
      kind: "crop",
      aboutId: viewer.profileId,
      bodyText: inEachLocale(gamesCopy, (text) => text.cropApplied),
      url: "/games/photocrop",
    });
  }
  return getSuggestion(ctx, sql<boolean>`s.id = ${id}`);
}

/** Whether the author of a suggestion may see the picture's owner, who is the viewer. */
function canSeeOwner({ db, brand, viewer }: MemberContext, authorId: number): Promise<boolean> {
  const author = { brand, viewer: { profileId: authorId } };
  return hasRow(
    db.selectFrom("profile as p").select("p.id").where("p.id", "=", viewer.profileId).where(visibleTo(author)),
  );
}
