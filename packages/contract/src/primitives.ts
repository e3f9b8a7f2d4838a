import { z } from "zod";
import { MEMBERS_ASKED_MAX, PAGE_SIZE_MAX, TEXT_MAX_CHARS } from "./limits.ts";

/** An id from a JSON body, a path or a query: a positive safe integer. */
export const Id = z.coerce.number().int().positive().max(Number.MAX_SAFE_INTEGER);

/** Members that a screen shows and asks about together: a comma list (REST) or a list (tRPC). */
export const ShownIds = z
  .union([
    z
      .string()
      .max(1000)
      .transform((text) => text.split(",").filter((id) => id !== "")),
    z.array(z.union([z.number(), z.string().max(20)])),
  ])
  .pipe(z.array(z.coerce.number<string | number>().int().positive().max(Number.MAX_SAFE_INTEGER)))
  .refine((ids) => ids.length > 0 && ids.length <= MEMBERS_ASKED_MAX, {
    message: `names 1 to ${MEMBERS_ASKED_MAX} members`,
  });

/** ISO 8601 UTC. */
export const Time = z.iso.datetime();

export const LongText = z.string().max(TEXT_MAX_CHARS);

/** SPEC section 7's page and size; `size` gets its default where it is used. */
export const page = z.coerce.number().int().min(0).max(100_000).default(0);
export const pageSize = (fallback: number) => z.coerce.number().int().min(1).max(PAGE_SIZE_MAX).default(fallback);

export const Latitude = z.coerce.number().min(-90).max(90);
export const Longitude = z.coerce.number().min(-180).max(180);

/** A boolean from a query string or JSON. */
export const Flag = z.union([z.boolean(), z.stringbool()]);

export const Nothing = z.object({});
