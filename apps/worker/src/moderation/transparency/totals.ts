import { sql } from "kysely";
import type { Context } from "../../platform/context.ts";

/** What the public chain adds up to on one brand. */
export interface Totals {
  readonly head: { readonly seq: number; readonly hash: string } | null;
  /** Entries by action, and by rule or result within it. */
  readonly rows: readonly { readonly action: string; readonly what: string | null; readonly n: number }[];
  readonly medianDecisionMs: number | null;
}

const kept = new Map<string, Totals>();

/**
 * The chain only ever grows, so its sums hold as long as its newest entry is the same: one row is read then, however long
 * the chain is. Kept for each brand in the isolate's memory.
 */
export async function readTotals(ctx: Pick<Context, "db" | "brand">): Promise<Totals> {
  const { db, brand } = ctx;
  const head = await db
    .selectFrom("public_entry")
    .select(["seq", "hash"])
    .orderBy("seq", "desc")
    .limit(1)
    .executeTakeFirst();
  const known = kept.get(brand.id);
  if (known && known.head?.hash === head?.hash) return known;
  const rows = await db
    .selectFrom("public_entry")
    .select("action")
    .select(sql<string | null>`coalesce(body ->> '$.details.rule', body ->> '$.details.result')`.as("what"))
    .select(({ fn }) => fn.countAll<number>().as("n"))
    .where("brand", "=", brand.id)
    .groupBy(["action", "what"])
    .execute();
  const waits = await db
    .selectFrom("public_entry")
    .select(sql<number>`cast(body ->> '$.details.waitedMs' as integer)`.as("ms"))
    .where("action", "=", "report.decided")
    .where("brand", "=", brand.id)
    .orderBy("ms")
    .execute();
  const totals = { head: head ?? null, rows, medianDecisionMs: waits[Math.floor((waits.length - 1) / 2)]?.ms ?? null };
  kept.set(brand.id, totals);
  return totals;
}
