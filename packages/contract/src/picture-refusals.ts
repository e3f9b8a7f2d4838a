import type { ErrorCode } from "./errors.ts";
import {
  PICTURE_DECODED_MAX_PIXELS,
  PICTURE_DECODED_MAX_PX,
  PICTURE_MAX_BYTES,
  PICTURES_PER_PROFILE_MAX,
} from "./limits.ts";

/**
 * Why a picture is refused, before it is decoded or while it is. No zod, so that the web can judge a file by the same
 * words before it sends it. The text follows the field's name: "picfile: is empty".
 */
export const PICTURE_REFUSALS = {
  MISSING: { code: "BAD_INPUT", text: "no file was sent" },
  EMPTY: { code: "BAD_INPUT", text: "the file is empty" },
  /** The file's own bytes say so; its name and declared type are never asked. */
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
  /** Its end is missing: a broken upload or a cut file. */
  TRUNCATED: { code: "BAD_INPUT", text: "the file is cut off" },
  ANIMATED: { code: "BAD_INPUT", text: "animated pictures are not accepted" },
  /** It starts like a picture, but cannot be read as one. */
  BROKEN: { code: "BAD_INPUT", text: "the picture is damaged and cannot be read" },
  /** Not the file's fault: what decodes pictures does not work now. */
  BUSY: { code: "UNAVAILABLE", text: "pictures cannot be taken in right now; please try again later" },
  /** It is, or looks like, a picture that was removed at somebody's request. */
  REMOVED: {
    code: "NOT_ALLOWED",
    text: "this picture was removed at the request of a person it shows and cannot be uploaded again; if that is a mistake, write to us",
  },
  /** The member has as many pictures as a profile holds. */
  FULL: { code: "CONFLICT", text: `a profile holds up to ${PICTURES_PER_PROFILE_MAX} pictures; delete one first` },
} as const satisfies Record<string, { code: ErrorCode; text: string }>;

export type PictureRefusal = keyof typeof PICTURE_REFUSALS;

/** The refusal that an error's `reason` names, so that the web can say it in the member's language. */
export function refusalOf(reason: string | undefined): PictureRefusal | undefined {
  return reason !== undefined && Object.hasOwn(PICTURE_REFUSALS, reason) ? (reason as PictureRefusal) : undefined;
}
