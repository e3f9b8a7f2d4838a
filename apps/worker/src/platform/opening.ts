/** Whether a brand has opened, which its admins decide (moderation/staff/opening). */
import type { Brand } from "@lambda/brands";
import { openDatabase } from "./db/database.ts";
import type { Env } from "./env.ts";

/** The step of `opening_step` that is the opening itself. */
export const OPENED = "open";

/** Brands known to be open. No brand closes again, so that an open site asks once in each isolate. */
const opened = new Set<string>();

/** Always true in development, unless a test asks for the checklist. */
export async function isOpen({ env, brand, request }: { env: Env; brand: Brand; request: Request }): Promise<boolean> {
  if (__DEVELOPMENT__ && request.headers.get("x-development-opening") !== "checklist") return true;
  if (opened.has(brand.id)) return true;
  const row = await openDatabase(env.DB)
    .selectFrom("opening_step")
    .select("ts_done")
    .where("brand", "=", brand.id)
    .where("step", "=", OPENED)
    .executeTakeFirst();
  if (row) opened.add(brand.id);
  return row !== undefined;
}
