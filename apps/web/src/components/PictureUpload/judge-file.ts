import type { Locale } from "@lambda/contract/accounts";
import { PICTURE_MAX_BYTES, PICTURE_TYPES } from "@lambda/contract/limits";
import { PICTURE_REFUSALS, type PictureRefusal, refusalOf } from "@lambda/contract/picture-refusals";
import { errorBodyOf } from "../../api/error-body.ts";
import { REFUSALS_ES, uploadCopy } from "./copy.ts";

/** Spares a hopeless upload, by its size and by what the browser takes it for. The server judges the whole file. */
export function judgeFile(file: Blob): PictureRefusal | undefined {
  if (file.size === 0) return "EMPTY";
  if (file.size > PICTURE_MAX_BYTES) return "BYTES";
  return PICTURE_TYPES.some((type) => type === file.type) ? undefined : "TYPE";
}

/** A refusal in the member's language. */
export function refusalText(refusal: PictureRefusal, locale: Locale): string {
  return locale === "es" ? REFUSALS_ES[refusal] : PICTURE_REFUSALS[refusal].text;
}

/** Why an upload failed, without the field's name. */
export function uploadErrorText(error: unknown, locale: Locale): string {
  const body = errorBodyOf(error);
  if (!body) return uploadCopy[locale].offline;
  const refusal = refusalOf(body.reason);
  return refusal ? refusalText(refusal, locale) : body.message;
}
