import { NOTICE_DUE_MS } from "@lambda/contract/limits";
import type { NoticeFigures } from "@lambda/contract/notices";
import { sql } from "kysely";
import { cachedByHead } from "../audit/public-chain.ts";

/** Maximum number of quarters reported, the latest first. */
const PERIODS_MAX = 12;

/**
 * The brand's notices by quarter of receipt, each once it, or the case it led to, is decided, so that no figure reveals anything open. Each
 * such decision adds to the public chain.
 */
export const readNoticeFigures = cachedByHead(async ({ db, brand }): Promise<NoticeFigures[]> => {
  const decided = await db
    .selectFrom("notice as n")
    .leftJoin("report as r", "r.id", "n.report_id")
    .select(["n.kind", "n.state"])
    .select(
      sql<string>`strftime('%Y', n.ts_created / 1000, 'unixepoch') || '-Q' ||
        ((strftime('%m', n.ts_created / 1000, 'unixepoch') + 2) / 3)`.as("period"),
    )
    .select(sql<number>`n.ts_decided - n.ts_created`.as("waited"))
    .select(
      sql<number>`exists (select 1 from notice_picture h where h.notice_id = n.id and h.hidden_immediately = 1)`.as(
        "hidden_immediately",
      ),
    )
    .select(
      sql<number>`(select count(*) from notice_counter c where c.notice_id = n.id and c.result = 'upheld' and n.state = 'removed')`.as(
        "upheld",
      ),
    )
    .where("n.brand", "=", brand.id)
    .where("n.ts_decided", "is not", null)
    .where(sql<boolean>`(n.state <> 'forwarded' or r.id is null or r.state = 'decided')`)
    .orderBy("n.ts_created", "desc")
    .limit(20_000)
    .execute();
  return [...Map.groupBy(decided, ({ period }) => period)].slice(0, PERIODS_MAX).map(([period, rows]) => {
    const count = (is: (row: (typeof rows)[number]) => boolean) => rows.filter(is).length;
    const waits = rows.map(({ waited }) => waited).sort((a, b) => a - b);
    const intimate = count(({ kind }) => kind === "intimate");
    const inTime = count(({ kind, waited }) => kind === "intimate" && waited <= NOTICE_DUE_MS);
    return {
      period,
      received: rows.length,
      intimate,
      hiddenAtOnce: count(({ hidden_immediately }) => hidden_immediately === 1),
      removed: count(({ state }) => state === "removed"),
      rejected: count(({ state }) => state === "rejected"),
      forwarded: count(({ state }) => state === "forwarded"),
      countersUpheld: rows.reduce((sum, { upheld }) => sum + upheld, 0),
      medianDecisionMs: waits[Math.floor((waits.length - 1) / 2)] ?? null,
      withinDue: intimate === 0 ? null : inTime / intimate,
    };
  });
});
