import { PICTURE_REFUSALS, type PictureRefusal } from "@lambda/contract/picture-refusals";
import { AppError } from "../platform/errors.ts";

/** The error that tells the member why the file was rejected. */
export function rejectUpload(refusal: PictureRefusal, waitMs?: number): AppError {
  const { code, text } = PICTURE_REFUSALS[refusal];
  const wait = waitMs === undefined ? {} : { retryAfterSeconds: Math.ceil(waitMs / 1000) };
  return new AppError(code, { field: "picfile", reason: refusal, message: `picfile: ${text}`, ...wait });
}
