import type { ErrorCode } from "./errors.ts";
import {
  PICTURE_DECODED_MAX_PIXELS,
  PICTURE_DECODED_MAX_PX,
  PICTURE_MAX_BYTES,
  PICTURES_PER_PROFILE_MAX,
} from "./limits.ts";

/**
 * Why a picture upload is refused, without zod, so that the web can cheaply check a file against the same reasons before sending it. The
 * text follows the field's name, as in "picfile: the file is empty".
 */
export const PICTURE_REFUSALS = {
  MISSING: { code: "BAD_INPUT", text: "no file was sent" },
  EMPTY: { code: "BAD_INPUT", text: "the file is empty" },
  /** Judged by the file's own bytes; its name and declared type are ignored. */
  TYPE: { code: "WRONG_TYPE", text: "only png, jpg/jpeg and webp pictures are accepted" },
  BYTES: { code: "TOO_LARGE", text: `the file is larger than ${PICTURE_MAX_BYTES.toLocaleString("en")} bytes` },
  SIDE: {
    code: "BAD_INPUT",
    text: `the picture is wider or higher than ${PICTURE_DECODED_MAX_PX.toLocaleString("en")} pixels`,
  },
  PIXELS: {
    code: "BAD_INPUT",
    text: `the picture has more than ${PICTURE_DECODED_MAX_PIXELS / 1_000_000} megapixels`,
  },
  /** The end is missing: an interrupted upload or a truncated file. */
  TRUNCATED: { code: "BAD_INPUT", text: "the file is cut off" },
  ANIMATED: { code: "BAD_INPUT", text: "animated pictures are not accepted" },
  /** It starts like a picture but cannot be decoded. */
  BROKEN: { code: "BAD_INPUT", text: "the picture is damaged and cannot be read" },
  /** The picture decoder is currently unavailable. */
  BUSY: { code: "UNAVAILABLE", text: "pictures cannot be taken in right now; please try again later" },
  /** The pictures that the whole site can take in on one day are used up. */
  TOMORROW: {
    code: "TOO_MANY_REQUESTS",
    text: "the site has taken in as many pictures as fit into one day; upload yours tomorrow. Everything else works",
  },
  /** It looks like a picture that was removed by request. Neither the text nor the reason says so: it may be another. */
  REVIEW: {
    code: "NOT_ALLOWED",
    text: "our staff have to look at this picture first; we tell you as soon as they have",
  },
  /** The profile already has the maximum number of pictures. */
  FULL: { code: "CONFLICT", text: `a profile holds up to ${PICTURES_PER_PROFILE_MAX} pictures; delete one first` },
} as const satisfies Record<string, { code: ErrorCode; text: string }>;

export type PictureRefusal = keyof typeof PICTURE_REFUSALS;

/** The refusal that an error's `reason` names, which lets the web translate it. */
export function findPictureRefusal(reason: string | undefined): PictureRefusal | undefined {
  return reason !== undefined && Object.hasOwn(PICTURE_REFUSALS, reason) ? (reason as PictureRefusal) : undefined;
}
