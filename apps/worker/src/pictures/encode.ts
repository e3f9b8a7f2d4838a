/**
 * Produces every stored picture: the Images binding decodes and re-encodes it, and then everything but pixel chunks is removed, so that no
 * metadata remains, whatever the encoder added.
 */
import {
  PICTURE_ORIGINAL_MAX_PX,
  PICTURE_PIXELATED_PX,
  PICTURE_PREVIEW_PX,
  PICTURE_STORED_MAX_BYTES,
  type PICTURE_WIDTHS_PX,
} from "@lambda/contract/limits";
import { pictureWidth } from "@lambda/contract/picture-width";
import type { Env } from "../platform/env.ts";
import { AppError } from "../platform/errors.ts";
import { logFault } from "../platform/log.ts";
import { count } from "../platform/metrics/counts.ts";
import { ByteReader } from "./byte-reader.ts";
import { rejectUpload } from "./reject-upload.ts";
import { cleanWebp } from "./webp.ts";

/** A stored variant of a picture: the original, a width, or a version that is too coarse to show anything. */
export type Variant = "original" | "pixelated" | (typeof PICTURE_WIDTHS_PX)[number];

export interface EncodedPicture {
  readonly bytes: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** WebP quality: 85 shows no artifacts on skin, and a 1024 px portrait stays near 100 KB. */
const QUALITY = 85;

/** Tried in turn until the result fits PICTURE_STORED_MAX_BYTES. Only noise needs the smaller sizes, which nobody looks at closely. */
const ORIGINAL_SIDES_PX = [PICTURE_ORIGINAL_MAX_PX, 2048, 1024] as const;

/**
 * The stored original of an upload: upright, without metadata, at most 4096 px per side. Throws BROKEN for a file that cannot be decoded,
 * BUSY when the service fails, and what `spendOneMore` throws before each further attempt.
 */
export async function encodeOriginal(
  env: Env,
  bytes: Uint8Array,
  spendOneMore?: () => Promise<void>,
): Promise<EncodedPicture> {
  try {
    let encoded: EncodedPicture | undefined;
    for (const side of ORIGINAL_SIDES_PX) {
      if (encoded) await spendOneMore?.();
      encoded = clean(await transform(env, bytes, { width: side, height: side, fit: "scale-down" }, "image/webp"));
      if (encoded.bytes.length <= PICTURE_STORED_MAX_BYTES) break;
    }
    return encoded as EncodedPicture;
  } catch (error) {
    if (error instanceof AppError && error.appCode === "TOO_MANY_REQUESTS") throw error;
    if (await isFileFault(env, error)) throw rejectUpload("BROKEN");
    count("imagesFailed");
    logFault({ event: "images" }, error);
    throw rejectUpload("BUSY");
  }
}

export async function encodeVariant(
  env: Env,
  original: Uint8Array,
  variant: Exclude<Variant, "original">,
): Promise<EncodedPicture> {
  const width = variant === "pixelated" ? PICTURE_PIXELATED_PX : variant;
  return clean(await transformStored(env, original, { width, fit: "scale-down" }, "image/webp"));
}

/** A PNG of at most `side` pixels per side, for reading its pixels. */
export function encodePng(env: Env, picture: Uint8Array, side: number): Promise<Uint8Array> {
  return transformStored(env, picture, { width: side, height: side, fit: "scale-down" }, "image/png");
}

/** A tiny WebP of a picture, as base64. */
export async function makePreview(env: Env, picture: Uint8Array): Promise<string> {
  const tiny = clean(
    await transformStored(env, picture, { width: PICTURE_PREVIEW_PX, fit: "scale-down" }, "image/webp"),
  );
  return btoa(String.fromCharCode(...tiny.bytes));
}

/** The width to serve for a requested one: never wider than the original needs. */
export function variantFor(requestedWidth: number, originalWidth: number): (typeof PICTURE_WIDTHS_PX)[number] {
  const widest = pictureWidth(originalWidth) as (typeof PICTURE_WIDTHS_PX)[number];
  const requested = pictureWidth(requestedWidth) as (typeof PICTURE_WIDTHS_PX)[number];
  return requested < widest ? requested : widest;
}

/** Transforms a picture that was encoded here before, so a failure is the service's fault. Throws UNAVAILABLE. */
async function transformStored(...call: Parameters<typeof transform>): Promise<Uint8Array> {
  try {
    return await transform(...call);
  } catch (error) {
    count("imagesFailed");
    logFault({ event: "images" }, error);
    throw new AppError("UNAVAILABLE");
  }
}

/** Error codes of Cloudflare Images, as documented in November 2026. The quota is the free transformations of a month. */
const UNREADABLE_FILE_CODES = [9402, 9412, 9413, 9520];
const QUOTA_USED_UP_CODE = 9422;

/** A one-pixel PNG. If the service cannot decode it, it can decode nothing. */
const PROBE = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";

/** Whether the file rather than the service is at fault. The binding throws one kind of error for both, so without a known code a probe decides. */
async function isFileFault(env: Env, error: unknown): Promise<boolean> {
  if (error instanceof AppError) return true;
  const code = error instanceof Error && "code" in error ? Number(error.code) : 0;
  if (code === QUOTA_USED_UP_CODE || UNREADABLE_FILE_CODES.includes(code)) return code !== QUOTA_USED_UP_CODE;
  const probe = Uint8Array.from(atob(PROBE), (letter) => letter.charCodeAt(0));
  const works = transform(env, probe, { width: 1 }, "image/png");
  return works.then(
    () => true,
    () => false,
  );
}

async function transform(
  env: Env,
  bytes: Uint8Array,
  transformation: ImageTransform,
  format: "image/webp" | "image/png",
): Promise<Uint8Array> {
  const source = new Blob([bytes as Uint8Array<ArrayBuffer>]).stream() as ReadableStream<Uint8Array>;
  const result = await env.IMAGES.input(source)
    .transform(transformation)
    .output({ format, quality: QUALITY, anim: false });
  return new Uint8Array(await new Response(result.image()).arrayBuffer());
}

const clean = (encoded: Uint8Array): EncodedPicture => cleanWebp(new ByteReader(encoded));
