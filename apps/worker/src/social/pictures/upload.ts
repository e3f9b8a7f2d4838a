/**
 * Taking in a picture: info by its bytes, encoded anew, stored, and only then shown. Between the row and the bytes nobody
 * but the owner could ask for it, so that a fault in between shows nothing and the nightly job clears it.
 */
import { DAY_MS, PICTURE_BYTES_TOTAL_MAX, PICTURE_WIDTHS_PX, PICTURES_PER_PROFILE_MAX } from "@lambda/contract/limits";
import type { PictureAudience } from "@lambda/contract/pictures";
import type { Context } from "../../platform/context.ts";
import { batch } from "../../platform/db/batch.ts";
import type { PictureRow } from "../../platform/db/tables.ts";
import { AppError, quotaUsedUp } from "../../platform/errors.ts";
import { averageColour } from "../../platform/images/average-colour.ts";
import { type PerceptualHash, perceptualHash } from "../../platform/images/perceptual-hash.ts";
import { spend } from "../../platform/rate-limits/limit.ts";
import { type EncodedPicture, encodeOriginal, encodeVariant, makePreview } from "./encode.ts";
import { inspectImage } from "./inspect-image.ts";
import { keepMatched, matchOf, type NewMatch } from "./known/held.ts";
import { findKnownPicture, isRefused, samplePicture } from "./known/known.ts";
import {
  countAlbumPictures,
  deletePictureQueries,
  findOwnPicture,
  getStoredPictureBytes,
  insertPictureQueries,
  isWithheld,
  publishPictureQueries,
  replacePictureQueries,
} from "./queries.ts";
import { rejectUpload } from "./reject-upload.ts";
import { deletePictureObjects, deletePictureVersion, putPicture } from "./store.ts";

export type StoreContext = Pick<Context, "env" | "d1" | "db" | "brand" | "now" | "quotas">;

/** Stores a new picture at the end of an album, or for a message. Throws why it is refused. */
export async function storePicture(
  ctx: StoreContext,
  profileId: number,
  upload: Uint8Array,
  { audience, nsfw = false, harmless = false }: { audience: PictureAudience; nsfw?: boolean; harmless?: boolean },
): Promise<PictureRow> {
  const isForMessage = audience === "chat" || audience === "once";
  if (!isForMessage && (await countAlbumPictures(ctx.db, profileId)) >= PICTURES_PER_PROFILE_MAX)
    throw rejectUpload("FULL");
  const { original, smallest, placeholder, preview, hash, match } = await prepare(ctx, upload);
  await requireRoom(ctx, profileId, original.bytes.length);
  const { width, height } = original;
  const bytes = original.bytes.length;
  const stored: "once" | "chat" = audience === "once" ? "once" : "chat";
  const picture = {
    profileId,
    audience: stored,
    width,
    height,
    bytes,
    placeholder,
    preview,
    nsfw,
    harmless,
    hash,
    match,
    now: ctx.now,
  };
  const [[row]] = await batch<[[PictureRow], ...unknown[][]]>(ctx.d1, insertPictureQueries(ctx.db, picture));
  await Promise.all([putPicture(ctx.env, row, original, smallest), keepMatched(ctx.env, match, original.bytes)]);
  if (isForMessage) return row;
  const [published] = await batch<[{ id: number }[], unknown[]]>(
    ctx.d1,
    publishPictureQueries(ctx.db, row, audience, ctx.now),
  );
  if (published.length === 0) {
    await batch(ctx.d1, deletePictureQueries(ctx.db, row, ctx.now));
    await deletePictureObjects(ctx.env, row);
    throw rejectUpload("FULL");
  }
  return { ...row, audience };
}

/**
 * Puts other bytes in an own picture's place; its id, likes, order and marks stay. Throws NOT_FOUND, CONFLICT when another
 * replacement came first, or why the file is refused.
 */
export async function replaceStoredPicture(
  ctx: StoreContext,
  profileId: number,
  id: number,
  upload: Uint8Array,
): Promise<PictureRow> {
  const old = await findOwnPicture(ctx.db, profileId, id);
  if (!old) throw new AppError("NOT_FOUND");
  // What a notice withholds stays as it is until people have looked at it.
  if (old.hidden_by_staff !== 0 && (await isWithheld(ctx.db, id))) throw new AppError("NOT_ALLOWED");
  const { original, smallest, placeholder, preview, hash, match } = await prepare(ctx, upload);
  await requireRoom(ctx, profileId, original.bytes.length);
  // A random step, so that two replacements at once write to different keys.
  const version = old.version + 1 + (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0);
  const fresh = { id, profile_id: profileId, version };
  await Promise.all([putPicture(ctx.env, fresh, original, smallest), keepMatched(ctx.env, match, original.bytes)]);
  const { width, height } = original;
  const bytes = original.bytes.length;
  const changes = { version, width, height, bytes, placeholder, preview, ts_updated: ctx.now };
  const [[row]] = await batch<[[PictureRow?], ...unknown[][]]>(
    ctx.d1,
    replacePictureQueries(ctx.db, old, changes, hash, match),
  );
  await deletePictureVersion(ctx.env, row ? old : fresh);
  if (!row) throw new AppError("CONFLICT");
  return row;
}

/** Of uploads that come at once each is asked for the day's bytes, exactly; what is stored in all, only before it grows. */
async function requireRoom(ctx: StoreContext, profileId: number, bytes: number): Promise<void> {
  if (ctx.quotas && (await getStoredPictureBytes(ctx.db, profileId)) + bytes > PICTURE_BYTES_TOTAL_MAX) {
    throw quotaUsedUp("pictureBytesTotal", DAY_MS);
  }
  await spend(ctx, "uploads", profileId, { pictureBytes: bytes });
}

interface Prepared {
  readonly original: EncodedPicture;
  readonly smallest: EncodedPicture;
  readonly placeholder: string;
  readonly preview: string;
  readonly hash: PerceptualHash;
  /** With a known picture that is not refused: for staff alone to know. */
  readonly match: NewMatch | undefined;
}

/** Throws why the file is refused. */
async function prepare({ env, db, brand }: StoreContext, upload: Uint8Array): Promise<Prepared> {
  const original = await encodeOriginal(env, inspectImage(upload).bytes);
  const smallest = await encodeVariant(env, original.bytes, PICTURE_WIDTHS_PX[0]).catch(asRefusal);
  const [preview, pixels] = await Promise.all([
    makePreview(env, smallest.bytes),
    samplePicture(env, original.bytes),
  ]).catch(asRefusal);
  const hash = perceptualHash(pixels);
  const known = await findKnownPicture(db, hash);
  if (known && isRefused(known)) throw rejectUpload("REMOVED");
  const match = known && matchOf(known, brand.id);
  return { original, smallest, placeholder: averageColour(pixels), preview, hash, match };
}

/** An upload says why by the words of uploads. */
function asRefusal(error: unknown): never {
  throw error instanceof AppError && error.appCode === "UNAVAILABLE" ? rejectUpload("BUSY") : error;
}
