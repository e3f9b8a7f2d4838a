/**
 * Every stored byte is made here: decoded and encoded anew by the Images binding, then stripped to its pixel chunks, so
 * that no metadata is left whatever the encoder added.
 */
import {
  PICTURE_ORIGINAL_MAX_PX,
  PICTURE_PIXELATED_PX,
  PICTURE_PREVIEW_PX,
  PICTURE_STORED_MAX_BYTES,
  type PICTURE_WIDTHS_PX,
  pictureWidth,
} from "@lambda/contract/limits";
import type { Env } from "../../platform/env.ts";
import { AppError } from "../../platform/errors.ts";
import { logFault } from "../../platform/log.ts";
import { count } from "../../platform/metrics/counts.ts";
import { ByteReader } from "./byte-reader.ts";
import { rejectUpload } from "./reject-upload.ts";
import { cleanWebp } from "./webp.ts";

/** What is kept of a picture: the original, a width, or the version that hides what it shows. */
export type Variant = "original" | "pixelated" | (typeof PICTURE_WIDTHS_PX)[number];

export interface EncodedPicture {
  readonly bytes: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** Encoder quality of WebP: 85 shows no artefacts on skin, and a 1024 px portrait stays near 100 KB. */
const QUALITY = 85;

/** What does not fit into PICTURE_STORED_MAX_BYTES is made smaller: noise compresses to nothing, and nobody looks at it closely. */
const ORIGINAL_SIDES_PX = [PICTURE_ORIGINAL_MAX_PX, 2048, 1024] as const;

/** A clean original of an upload, at most 4096 px a side, upright. Throws BROKEN for what cannot be decoded, and BUSY when nothing can. */
export async function encodeOriginal(env: Env, bytes: Uint8Array): Promise<EncodedPicture> {
  try {
    let made: EncodedPicture | undefined;
    for (const side of ORIGINAL_SIDES_PX) {
      made = clean(await transform(env, bytes, { width: side, height: side, fit: "scale-down" }, "image/webp"));
      if (made.bytes.length <= PICTURE_STORED_MAX_BYTES) break;
    }
    return made as EncodedPicture;
  } catch (error) {
    if (await isFaultOfFile(env, error)) throw rejectUpload("BROKEN");
    count("imagesFailed");
    logFault({ event: "images" }, error);
    throw rejectUpload("BUSY");
  }
}

/** A variant of a stored original. */
export async function encodeVariant(
  env: Env,
  original: Uint8Array,
  variant: Exclude<Variant, "original">,
): Promise<EncodedPicture> {
  const width = variant === "pixelated" ? PICTURE_PIXELATED_PX : variant;
  return clean(await transformOwn(env, original, { width, fit: "scale-down" }, "image/webp"));
}

/** A picture of at most `side` pixels, as a PNG whose samples can be read. */
export function encodePng(env: Env, picture: Uint8Array, side: number): Promise<Uint8Array> {
  return transformOwn(env, picture, { width: side, height: side, fit: "scale-down" }, "image/png");
}

/** A few pixels of a picture, as base64. */
export async function makePreview(env: Env, picture: Uint8Array): Promise<string> {
  const tiny = clean(await transformOwn(env, picture, { width: PICTURE_PREVIEW_PX, fit: "scale-down" }, "image/webp"));
  return btoa(String.fromCharCode(...tiny.bytes));
}

/** Which variant answers a wanted width: a picture narrower than a width needs none above it. */
export function variantFor(wanted: number, originalWidth: number): (typeof PICTURE_WIDTHS_PX)[number] {
  const widest = pictureWidth(originalWidth) as (typeof PICTURE_WIDTHS_PX)[number];
  const asked = pictureWidth(wanted) as (typeof PICTURE_WIDTHS_PX)[number];
  return asked < widest ? asked : widest;
}

/** Of a picture that was encoded here before: what fails now is no fault of a file. Throws UNAVAILABLE. */
async function transformOwn(...call: Parameters<typeof transform>): Promise<Uint8Array> {
  try {
    return await transform(...call);
  } catch (error) {
    count("imagesFailed");
    logFault({ event: "images" }, error);
    throw new AppError("UNAVAILABLE");
  }
}

/** Of the service's numbers those for a file that it cannot read, and the one for a month that is used up (its documentation, November 2026). */
const UNREADABLE = [9402, 9412, 9413, 9520];
const USED_UP = 9422;

/** A white point: whoever cannot decode this one decodes nothing. */
const PROBE = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";

/** The binding has one kind of error for a damaged file, a used-up month and its own faults; otherwise a probe tells. */
async function isFaultOfFile(env: Env, error: unknown): Promise<boolean> {
  if (error instanceof AppError) return true;
  const code = error instanceof Error && "code" in error ? Number(error.code) : 0;
  if (code === USED_UP || UNREADABLE.includes(code)) return code !== USED_UP;
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

function clean(encoded: Uint8Array): EncodedPicture {
  return cleanWebp(new ByteReader(encoded));
}
