import type { Locale } from "@lambda/contract/accounts";
import { PICTURE_MAX_BYTES, PICTURE_TYPES } from "@lambda/contract/limits";
import { findPictureRefusal, PICTURE_REFUSALS, type PictureRefusal } from "@lambda/contract/picture-refusals";
import { errorBodyOf } from "../../api/error-body.ts";
import { errorText } from "../../api/error-text.ts";
import { REFUSALS_ES, uploadCopy } from "./copy.ts";

/** Checks the size and type before an upload that the server would refuse. The server checks the whole file. */
export function checkFile(file: Blob): PictureRefusal | undefined {
  if (file.size === 0) return "EMPTY";
  if (file.size > PICTURE_MAX_BYTES) return "BYTES";
  return PICTURE_TYPES.some((type) => type === file.type) ? undefined : "TYPE";
}

/** The message for a refusal. */
export function refusalText(refusal: PictureRefusal, locale: Locale): string {
  return locale === "es" ? REFUSALS_ES[refusal] : PICTURE_REFUSALS[refusal].text;
}

/** The message for a failed upload: the reason of a refused file without the field's name, or the message of any other error. */
export function uploadErrorText(error: unknown, locale: Locale): string {
  const body = errorBodyOf(error);
  if (!body) return uploadCopy[locale].offline;
  const refusal = findPictureRefusal(body.reason);
  return refusal ? refusalText(refusal, locale) : errorText(error);
}
