import type { Locale } from "@lambda/contract/accounts";
import { findPictureRefusal, PICTURE_REFUSALS } from "@lambda/contract/picture-refusals";
import { errorBodyOf, errorStatusOf } from "../../api/error-body.ts";
import { errorText } from "../../api/error-text.ts";
import { REFUSALS_ES, UNREADABLE_TEXTS, type UnreadableReason, uploadCopy } from "./copy.ts";

/** Thrown for a file that this browser cannot make a picture of. */
export class UnreadablePicture extends Error {
  readonly reason: UnreadableReason;

  constructor(reason: UnreadableReason) {
    super(`unreadable picture: ${reason}`);
    this.name = "UnreadablePicture";
    this.reason = reason;
  }
}

/** The message for a failed upload: the reason of a refused file without the field's name, or the message of any other error. */
export function uploadErrorText(error: unknown, locale: Locale): string {
  if (error instanceof UnreadablePicture) return UNREADABLE_TEXTS[locale][error.reason];
  const body = errorBodyOf(error);
  if (!body) return uploadCopy[locale].offline;
  const refusal = findPictureRefusal(body.reason);
  if (!refusal) return errorText(error);
  return locale === "es" ? REFUSALS_ES[refusal] : PICTURE_REFUSALS[refusal].text;
}

/** What a list of uploads shows of a failed one. The same file may succeed later unless it is the file that was refused. */
export function toUploadFailure(error: unknown, locale: Locale): { reason: string; retryable: boolean } {
  const isFileRefused = error instanceof UnreadablePicture || (errorStatusOf(error) ?? 500) < 500;
  return { reason: uploadErrorText(error, locale), retryable: !isFileRefused };
}
