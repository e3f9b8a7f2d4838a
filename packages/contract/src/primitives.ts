import { z } from "zod";
import { MEMBERS_ASKED_MAX, PAGE_SIZE_MAX, TEXT_MAX_CHARS } from "./limits.ts";

const SPELLED_NUMBER = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/;

/**
 * A number from a JSON body, or spelled out as paths and queries do. Nothing else that JavaScript makes a number of: true, [5] and
 * "" are mistakes, and would otherwise be member 1, member 5 and the equator.
 */
export function numeric<Schema extends z.ZodType<number, number>>(schema: Schema) {
  return z.preprocess(
    (value) => (typeof value === "string" && SPELLED_NUMBER.test(value) ? Number(value) : value),
    schema,
  );
}

/** An id from a JSON body, a path or a query: a positive safe integer. */
export const Id = numeric(z.number().int().positive().max(Number.MAX_SAFE_INTEGER));

/** Members that a screen shows and asks about together: a comma list (REST) or a list (tRPC). */
export const ShownIds = z
  .union([
    z
      .string()
      .max(1000)
      .transform((text) => text.split(",").filter((id) => id !== "")),
    z.array(z.union([z.number(), z.string().max(20)])),
  ])
  .transform((ids): unknown[] => ids)
  .pipe(z.array(Id))
  .refine((ids) => ids.length > 0 && ids.length <= MEMBERS_ASKED_MAX, {
    message: `names 1 to ${MEMBERS_ASKED_MAX} members`,
  });

/** ISO 8601 UTC. */
export const Time = z.iso.datetime();

/** As a text is stored: composed letters, plain line ends, no control characters, nothing that turns the direction of writing. */
export function cleanText(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?/g, "\n")
    .replace(/(?![\n\t])\p{Cc}|[\u202D\u202E]/gu, "")
    .normalize("NFC");
}

/** The same in one line, for names and labels. */
export const Line = z.string().overwrite((text) =>
  cleanText(text)
    .replace(/[\n\t]+/g, " ")
    .trim(),
);
/** A description, which keeps its spaces. */
export const LongText = z.string().overwrite(cleanText).max(TEXT_MAX_CHARS);
/** Text for or about somebody: the limit counts what is left after trimming. */
export const TrimmedText = z.string().overwrite(cleanText).trim().max(TEXT_MAX_CHARS);

/** Page and size; `size` gets its default where it is used. Without a page, a client goes by cursors. */
export const page = numeric(z.number().int().min(0).max(100_000)).optional();
export const pageSize = (fallback: number) => numeric(z.number().int().min(1).max(PAGE_SIZE_MAX)).default(fallback);

export const Latitude = numeric(z.number().min(-90).max(90));
export const Longitude = numeric(z.number().min(-180).max(180));

/** A boolean from a query string or JSON. */
export const Flag = z.union([z.boolean(), z.stringbool()]);

export const Nothing = z.object({});
