import { PICTURE_MAX_BYTES } from "@lambda/contract/limits";
import { PICTURE_REFUSALS, type PictureRefusal, refusalOf } from "@lambda/contract/picture-refusals";
import { errorBodyOf } from "../../api/error-text.ts";
import { picturesCopy, REFUSALS_ES } from "../../features/pictures/copy.ts";
import type { Locale } from "../../format/i18n.ts";

/** Spares a hopeless upload: size, and the first bytes. The server judges the whole file. */
export async function judgeFile(file: Blob): Promise<PictureRefusal | undefined> {
  if (file.size === 0) return "EMPTY";
  if (file.size > PICTURE_MAX_BYTES) return "BYTES";
  const head = new Uint8Array(await file.slice(0, 12).arrayBuffer());
  const text = String.fromCharCode(...head);
  const jpeg = head[0] === 0xff && head[1] === 0xd8 && head[2] === 0xff;
  const known = jpeg || text.startsWith("\x89PNG\r\n\x1a\n") || (text.startsWith("RIFF") && text.endsWith("WEBP"));
  return known ? undefined : "TYPE";
}

/** A refusal in the member's language. */
export function refusalText(refusal: PictureRefusal, locale: Locale): string {
  return locale === "es" ? REFUSALS_ES[refusal] : PICTURE_REFUSALS[refusal].text;
}

/** Why an upload failed, without the field's name. */
export function uploadErrorText(error: unknown, locale: Locale): string {
  const body = errorBodyOf(error);
  if (!body) return picturesCopy[locale].upload.offline;
  const refusal = refusalOf(body.message);
  return refusal ? refusalText(refusal, locale) : body.message;
}
