import { PICTURE_REFUSALS, type PictureRefusal } from "@lambda/contract/picture-refusals";
import { AppError } from "../../platform/errors.ts";

/** The error that tells the member why the file was rejected. */
export function rejectUpload(refusal: PictureRefusal): AppError {
  const { code, text } = PICTURE_REFUSALS[refusal];
  return new AppError(code, { field: "picfile", reason: refusal, message: `picfile: ${text}` });
}
