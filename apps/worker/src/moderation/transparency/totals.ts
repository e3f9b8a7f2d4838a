import { sql } from "kysely";
import type { Context } from "../../platform/context.ts";
import { findPublicHead } from "../audit/public-chain.ts";

export interface Totals {
  readonly head: { readonly seq: number; readonly hash: string } | null;
  /** Number of entries by action and, within it, by rule or result. */
  readonly rows: readonly { readonly action: string; readonly what: string | null; readonly n: number }[];
  readonly medianDecisionMs: number | null;
}

const cache = new Map<string, Totals>();

/**
 * Cached per brand in the isolate's memory. The chain is append-only, so the totals are valid as long as its newest
 * entry is the same, and a cache hit reads one row.
 */
export async function readTotals(ctx: Pick<Context, "db" | "brand">): Promise<Totals> {
  const { db, brand } = ctx;
  const head = await findPublicHead(db);
  const cached = cache.get(brand.id);
  if (cached && cached.head?.hash === head?.hash) return cached;
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
  cache.set(brand.id, totals);
  return totals;
}
