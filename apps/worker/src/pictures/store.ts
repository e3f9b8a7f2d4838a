/** A picture's objects in R2. Keys contain the version, so that a replaced picture is never served again. */
import { PICTURE_WIDTHS_PX } from "@lambda/contract/limits";
import type { PictureAudience } from "@lambda/contract/pictures";
import { deletePrefix } from "../platform/bucket/objects.ts";
import type { Env } from "../platform/env.ts";
import { count } from "../platform/metrics/counts.ts";
import { type ImageWorkContext, spendImageWork } from "../platform/rate-limits/image-work.ts";
import { type EncodedPicture, encodeVariant, type Variant } from "./encode.ts";

export const PICTURES_PREFIX = "pictures/";
/** Content that opens once is stored separately, where backups do not copy it. */
export const ONCE_PREFIX = "once/";

/** What the keys of one version of a picture are made from. */
export interface StoredPicture {
  readonly id: number;
  readonly profile_id: number;
  readonly version: number;
  readonly audience?: PictureAudience;
}

export function pictureKey(picture: StoredPicture, variant: Variant): string {
  return `${folderOf(picture)}${picture.version}/${variant}.webp`;
}

/** Parses "pictures/<profile>/<picture>/<version>/..." and the same under "once/". Undefined for any other key. */
export function parsePictureKey(key: string): StoredPicture | undefined {
  const match = /^(?:pictures|once)\/(\d+)\/(\d+)\/(\d+)\/[a-z0-9]+\.webp$/.exec(key);
  return match ? { profile_id: Number(match[1]), id: Number(match[2]), version: Number(match[3]) } : undefined;
}

/** Stores the original and the smallest width, which lists show. */
export async function putPicture(
  env: Env,
  picture: StoredPicture,
  original: EncodedPicture,
  smallest: EncodedPicture,
): Promise<void> {
  await Promise.all([
    putObject(env, pictureKey(picture, "original"), original.bytes),
    putObject(env, pictureKey(picture, PICTURE_WIDTHS_PX[0]), smallest.bytes),
  ]);
}

/** A stored variant, made from the original at its first request. Null when the picture has no objects. */
export async function getVariant(
  env: Env,
  picture: StoredPicture,
  variant: Variant,
): Promise<ReadableStream | Uint8Array | null> {
  const key = pictureKey(picture, variant);
  const stored = await env.PICTURES.get(key);
  if (stored) return stored.body;
  const original = variant === "original" ? null : await env.PICTURES.get(pictureKey(picture, "original"));
  if (variant === "original" || !original) {
    count("objectsMissing");
    return null;
  }
  const encoded = await encodeVariant(env, new Uint8Array(await original.arrayBuffer()), variant);
  await putObject(env, key, encoded.bytes);
  return encoded.bytes;
}

/**
 * A variant for a member: the widest one stored if the wanted width is missing and cannot be made today. A pixelated version is never
 * replaced, and was paid for with the upload.
 */
export async function getShownVariant(
  ctx: ImageWorkContext,
  picture: StoredPicture,
  wanted: Variant,
): Promise<{ readonly body: ReadableStream | Uint8Array; readonly variant: Variant } | null> {
  const { env } = ctx;
  const find = async (variant: Variant) => {
    const stored = await env.PICTURES.get(pictureKey(picture, variant));
    return stored && { body: stored.body, variant };
  };
  const make = async () => {
    const body = await getVariant(env, picture, wanted);
    return body && { body, variant: wanted };
  };
  const found = await find(wanted);
  if (found) return found;
  if (wanted === "original" || wanted === "pixelated") return make();
  const isRefused = await spendImageWork(ctx, picture.profile_id, 1);
  const made = isRefused ? undefined : await make().catch(() => undefined);
  if (made !== undefined) return made;
  for (const width of PICTURE_WIDTHS_PX.toReversed()) {
    const other = await find(width);
    if (other) return other;
  }
  return make();
}

export async function deletePictureObjects(env: Env, picture: StoredPicture): Promise<void> {
  await deletePrefix(env.PICTURES, folderOf(picture));
}

export async function deletePictureVersion(env: Env, picture: StoredPicture): Promise<void> {
  await deletePrefix(env.PICTURES, `${folderOf(picture)}${picture.version}/`);
}

/** Part of purging an account. */
export async function deleteMemberPictures(env: Env, profileId: number): Promise<void> {
  await deletePrefix(env.PICTURES, `${PICTURES_PREFIX}${profileId}/`);
  await deletePrefix(env.PICTURES, `${ONCE_PREFIX}${profileId}/`);
}

async function putObject(env: Env, key: string, bytes: Uint8Array): Promise<void> {
  await env.PICTURES.put(key, bytes, { httpMetadata: { contentType: "image/webp" } });
}

function folderOf({ id, profile_id, audience }: Omit<StoredPicture, "version">): string {
  return `${audience === "once" ? ONCE_PREFIX : PICTURES_PREFIX}${profile_id}/${id}/`;
}
