import { z } from "zod";
import { PAGE_SIZE_MAX, PROFILE_IDS_PER_CALL_MAX, TEXT_MAX_CHARS, TYPED_MAX_CHARS } from "./limits.ts";
import { withoutUnseen } from "./names.ts";
import { asDigits, asSeen, unwrap } from "./typed.ts";

const NUMERIC_STRING = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/;

/**
 * A number, or a numeric string from a path or query. Rejects other values that JavaScript would coerce: true, [5] and "" would
 * otherwise become member 1, member 5 and the equator.
 */
export function numeric<Schema extends z.ZodType<number, number>>(schema: Schema) {
  return z.preprocess(
    (value) => (typeof value === "string" && NUMERIC_STRING.test(value) ? Number(value) : value),
    schema,
  );
}

/** An id: a positive safe integer, from a JSON body, path or query. */
export const Id = numeric(z.number().int().positive().max(Number.MAX_SAFE_INTEGER));

/** A list as a comma-separated string or repeated parameter (REST), or as an array (tRPC). */
export function listOf<Schema extends z.ZodType>(list: Schema) {
  return z.preprocess(
    (value) => (typeof value === "string" ? value.split(",").filter((entry) => entry !== "") : value),
    list,
  );
}

export const ProfileIds = listOf(z.array(Id).min(1).max(PROFILE_IDS_PER_CALL_MAX));

/** The cursor of a search, encrypted for one member and one search. */
export const SearchCursor = z.string().regex(/^[\w-]{40,100}$/);
/** The cursor of a list ordered by time: the time and ids of its last row. */
export const ListCursor = z.string().regex(/^\d{1,16}\.\d{1,16}\.\d{1,16}$/);

/** Refuses a text by the first character that no right one contains. */
export const refuseCharacter = (pattern: RegExp) => (text: string, context: z.RefinementCtx) => {
  const wrong = pattern.exec(text)?.[0].codePointAt(0);
  if (wrong !== undefined) context.addIssue({ code: "custom", message: `WRONG_CHARACTER ${wrong}` });
};

const DAY = /^(\d{4})(?: ?[\p{P}\u2212年] ?| )(\d\d?)(?: ?[\p{P}\u2212月] ?| )(\d\d?)日?$/u;

/** A day that begins with the year, in any digits and with any signs or none between, as yyyy-mm-dd; other text as it is seen. */
export function asDay(text: string): string {
  const seen = asDigits(unwrap(asSeen(text))).replace(/^(\d{4})(\d\d)(\d\d)$/, "$1-$2-$3");
  const [, year, month = "", day = ""] = DAY.exec(seen) ?? [];
  return year === undefined ? seen : `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
}

/** A day without a time, yyyy-mm-dd, in any digits and with dashes, dots or slashes. */
export const Day = z
  .string()
  .max(TYPED_MAX_CHARS)
  .overwrite(asDay)
  .superRefine((day, context) => {
    if (/\d/.test(day)) refuseCharacter(/[^\d\s./-]/u)(day, context);
  })
  .meta({ format: "date" })
  .pipe(z.iso.date());

/** ISO 8601 in UTC. */
export const Time = z.iso.datetime();

/**
 * Normalizes text for storage: composed letters, \n line breaks, also for those of word processors, at most two empty lines in a row, no
 * control characters, no direction overrides, and nothing in the place of objects that were pasted with it.
 */
export function cleanText(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?|[\v\f\u0085\u2028\u2029]/g, "\n")
    .replace(/(?![\n\t])\p{Cc}|[\u202D\u202E\uFFFC]/gu, "")
    .replace(/\n(?:[^\S\n]*\n){3,}/g, "\n\n\n")
    .normalize("NFC");
}

const trimmed = (text: string): string => (asSeen(text) === "" ? "" : cleanText(text).trim());

/** Cleaned text on a single line without unseen characters, for names and labels; empty if nothing of it is seen. */
export const SingleLine = z.string().overwrite((text) => trimmed(withoutUnseen(text)).replace(/[\n\t]+/g, " "));
/** Cleaned text that keeps leading and trailing spaces, for descriptions; empty if nothing of it is seen. */
export const LongText = z.string().overwrite((text) => (trimmed(text) === "" ? "" : cleanText(text)));
/** Cleaned and trimmed text, empty if nothing of it is seen; the limit applies after trimming. */
export const TrimmedText = z.string().overwrite(trimmed).max(TEXT_MAX_CHARS);

/** A page number; clients that omit it page by cursor. */
export const page = numeric(z.number().int().min(0).max(100_000)).optional();
export const pageSize = (fallback: number) => numeric(z.number().int().min(1).max(PAGE_SIZE_MAX)).default(fallback);

export const Latitude = numeric(z.number().min(-90).max(90));
export const Longitude = numeric(z.number().min(-180).max(180));

/** A boolean from a query string or JSON. */
export const BooleanInput = z.union([z.boolean(), z.stringbool()]);

/** The answer to a call that returns nothing: whatever the procedure computes stays on the server. */
export const EmptyObject = z
  .unknown()
  .transform(() => ({}))
  .pipe(z.object({}));
