/**
 * Handles picture uploads: inspects the bytes, re-encodes them, and takes each through one order: a row that reserves its id, the bytes, then
 * one batch that publishes it with all that others or jobs read. Whatever fails in between leaves a row without bytes, which a retry
 * finishes and the nightly job deletes.
 */
import {
  IMAGE_WORK_PER_UPLOAD,
  PICTURE_WIDTHS_PX,
  PICTURES_PER_PROFILE_MAX,
  REFUSED_UPLOADS_WAITING_MAX,
} from "@lambda/contract/limits";
import type { PictureAudience } from "@lambda/contract/pictures";
import { sql } from "kysely";
import type { Context } from "../platform/context.ts";
import { batch } from "../platform/db/database.ts";
import type { PictureRow } from "../platform/db/tables.ts";
import { AppError, quotaExceeded } from "../platform/errors.ts";
import { randomHex } from "../platform/hash.ts";
import { type Pixels, perceptualHash } from "../platform/images/perceptual-hash.ts";
import { sealPrint } from "../platform/images/picture-print.ts";
import { spendImageWork } from "../platform/rate-limits/image-work.ts";
import { type EncodedPicture, encodeOriginal, encodeVariant, makePreview } from "./encode.ts";
import { PICTURE_STATES } from "./hidden.ts";
import { inspectImage } from "./inspect-image.ts";
import { EVIDENCE_PREFIX, type NewMatch, storeMatchCopy, toMatch } from "./known/held.ts";
import { findKnownPicture, samplePicture } from "./known/known.ts";
import {
  countAlbumPictures,
  deletePictureQueries,
  findPictureByClientId,
  getOwnPicture,
  insertRefusedQueries,
  isWithheld,
  type PictureLook,
  publishPictureQueries,
  replacePictureQueries,
  reservePicture,
} from "./queries.ts";
import { rejectUpload } from "./reject-upload.ts";
import { spendStorage } from "./storage-quota.ts";
import { deletePictureVersion, putPicture } from "./store.ts";

export type UploadContext = Pick<Context, "env" | "d1" | "db" | "brand" | "now" | "quotas" | "ip" | "site" | "undo">;

interface NewPicture {
  readonly audience: PictureAudience;
  readonly nsfw?: boolean;
  readonly harmless?: boolean;
  readonly clientId?: string | undefined;
}

/**
 * Stores a new picture at the end of an album, or for a message. A retry with the same client id returns the stored one, or finishes it.
 * Throws the reason when it is rejected.
 */
export async function storePicture(
  ctx: UploadContext,
  profileId: number,
  upload: Uint8Array,
  { audience, nsfw = false, harmless = false, clientId }: NewPicture,
): Promise<PictureRow> {
  const begun = clientId === undefined ? undefined : await findPictureByClientId(ctx.db, profileId, clientId);
  if (begun && isFinished(begun)) return begun;
  const isForMessage = audience === "chat" || audience === "once";
  if (!isForMessage && (await countAlbumPictures(ctx.db, profileId)) >= PICTURES_PER_PROFILE_MAX)
    throw rejectUpload("FULL");
  const { original, smallest, columns, look, match } = await encodeUpload(ctx, profileId, upload);
  await spendStorage(ctx, profileId, columns.bytes);
  const { id, isNew } = await reservePicture(ctx.db, { profileId, clientId, now: ctx.now });
  // Each attempt has a version of its own: the first one whose bytes are there publishes them.
  const version = isNew ? 1 : 1 + randomIncrement();
  const picture = { id, profile_id: profileId, version, audience };
  await Promise.all([putPicture(ctx.env, picture, original, smallest), storeMatchCopy(ctx.env, match, original.bytes)]);
  const [published] = await batch(
    ctx.d1,
    publishPictureQueries(ctx.db, picture, { ...columns, nsfw, harmless, look, match, now: ctx.now }),
  );
  if (published[0]) return published[0];
  await deletePictureVersion(ctx.env, picture);
  const winner = await getOwnPicture(ctx.db, profileId, id, { once: true });
  if (isFinished(winner)) return winner;
  // The albums are full, which is checked here because concurrent uploads have all passed the earlier check.
  await batch(ctx.d1, deletePictureQueries(ctx.db, winner, ctx.now));
  throw rejectUpload("FULL");
}

const isFinished = ({ bytes }: PictureRow) => bytes > 0;

/** So that concurrent attempts write to different keys. */
const randomIncrement = () => 1 + (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0);

/**
 * Replaces the bytes of a member's picture, which keeps its id, likes, position and marks. Throws NOT_FOUND, CONFLICT when a concurrent
 * replacement won, or the reason when the file is rejected.
 */
export async function replaceStoredPicture(
  ctx: UploadContext,
  profileId: number,
  id: number,
  upload: Uint8Array,
): Promise<PictureRow> {
  const old = await getOwnPicture(ctx.db, profileId, id);
  // A picture that a notice hides must not change until it has been reviewed.
  if (old.hidden_by_staff !== PICTURE_STATES.open && (await isWithheld(ctx.db, id))) throw new AppError("NOT_ALLOWED");
  const { original, smallest, columns, look, match } = await encodeUpload(ctx, profileId, upload);
  await spendStorage(ctx, profileId, columns.bytes, old.bytes);
  const version = old.version + randomIncrement();
  const fresh = { id, profile_id: profileId, version };
  await Promise.all([putPicture(ctx.env, fresh, original, smallest), storeMatchCopy(ctx.env, match, original.bytes)]);
  const changes = { ...columns, version, ts_updated: ctx.now };
  const [[row]] = await batch(ctx.d1, replacePictureQueries(ctx.db, old, changes, look, match));
  await deletePictureVersion(ctx.env, row ? old : fresh);
  if (!row) throw new AppError("CONFLICT");
  return row;
}

/** Throws the reason when the file is rejected. Only staff may learn of a match with a known picture that is not refused. */
async function encodeUpload(ctx: UploadContext, profileId: number, upload: Uint8Array) {
  const { env } = ctx;
  const { bytes } = inspectImage(upload);
  const spend = async (amount: number) => {
    const refusal = await spendImageWork(ctx, profileId, amount, ctx.site ?? ctx.ip);
    if (refusal?.of === "member") throw quotaExceeded("imageWork", refusal.waitMs);
    if (refusal) throw rejectUpload("TOMORROW", refusal.waitMs);
  };
  await spend(IMAGE_WORK_PER_UPLOAD);
  const original = await encodeOriginal(env, bytes, () => spend(1));
  // The work is done and billed, whatever becomes of the upload: it would be free for whoever makes each one fail after it.
  ctx.undo.length = 0;
  const smallest = await encodeVariant(env, original.bytes, PICTURE_WIDTHS_PX[0]).catch(throwRejection);
  const [preview, pixels] = await Promise.all([
    makePreview(env, smallest.bytes),
    // The upload itself: encoding it first would change the hash of a picture with large plain areas.
    samplePicture(env, bytes),
  ]).catch(throwRejection);
  const hash = perceptualHash(pixels);
  const look = { hash, sealedPrint: sealPrint(env, hash.print) };
  const known = await findKnownPicture(ctx, hash);
  const found = known && (await toMatch(ctx, known, { profileId, brand: ctx.brand.id, bytes: original.bytes }));
  const match = found && { ...found, r2Key: `${EVIDENCE_PREFIX}${randomHex(16)}.webp` };
  if (match?.effect === "refused") {
    await reportRefusal(ctx, profileId, original, look, match);
    throw rejectUpload("REVIEW");
  }
  const { width, height } = original;
  const columns = { width, height, bytes: original.bytes.length, placeholder: averageColor(pixels), preview };
  return { original, smallest, columns, look, match };
}

function throwRejection(error: unknown): never {
  throw error instanceof AppError && error.appCode === "UNAVAILABLE" ? rejectUpload("BUSY") : error;
}

/**
 * Keeps a copy for staff, who get a case. The same file again adds nothing, nor do more than a few that wait. The picture's own row is in
 * no album and has no bytes; the nightly job deletes it.
 */
async function reportRefusal(
  ctx: Pick<Context, "env" | "d1" | "db" | "now">,
  profileId: number,
  original: EncodedPicture,
  look: PictureLook,
  match: NewMatch,
): Promise<void> {
  const { waiting, known } = await ctx.db
    .selectFrom("known_picture_match as m")
    .leftJoin("report as r", "r.id", "m.report_id")
    .select(({ fn }) => fn.countAll<number>().as("waiting"))
    .select(sql<number>`coalesce(sum(m.digest = ${match.digest}), 0)`.as("known"))
    .where("m.profile_id", "=", profileId)
    .where("m.effect", "=", "refused")
    .where((eb) => eb.or([eb("r.id", "is", null), eb("r.state", "<>", "decided")]))
    .executeTakeFirstOrThrow();
  if (known > 0 || waiting >= REFUSED_UPLOADS_WAITING_MAX) return;
  const { width, height } = original;
  await storeMatchCopy(ctx.env, match, original.bytes);
  await batch(ctx.d1, insertRefusedQueries(ctx.db, { profileId, width, height, look, match, now: ctx.now }));
}

/** The average color of a picture, as "#rrggbb". */
function averageColor({ channels, data }: Pixels): string {
  const means = channels < 3 ? [0, 0, 0] : [0, 1, 2];
  const color = means.map((from) => {
    let sum = 0;
    for (let at = from; at < data.length; at += channels) sum += data[at] ?? 0;
    return Math.round((sum * channels) / data.length);
  });
  return `#${color.map((mean) => mean.toString(16).padStart(2, "0")).join("")}`;
}
