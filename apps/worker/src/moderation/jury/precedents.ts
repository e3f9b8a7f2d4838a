import type { Precedent } from "@lambda/contract/arbitration";
import type { Rule } from "@lambda/contract/moderation";
import { toIso } from "../../platform/iso-time.ts";
import type { MemberContext } from "../../platform/trpc.ts";

/** Only the latest cases are searched; older ones say little about today's community. */
const PRECEDENTS_READ = 500;
const PRECEDENTS_SHOWN = 30;

/** Finds decided cases of this brand whose summary contains every word of `text`. */
export async function searchPrecedents(
  ctx: MemberContext,
  filter: { category?: Rule | undefined; text: string },
): Promise<Precedent[]> {
  let query = ctx.db
    .selectFrom("precedent")
    .select(["category", "outcome", "summary", "ts_decided"])
    .where("brand", "=", ctx.brand.id)
    .orderBy("ts_decided", "desc")
    .limit(filter.text === "" ? PRECEDENTS_SHOWN : PRECEDENTS_READ);
  if (filter.category) query = query.where("category", "=", filter.category);
  const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean);
  const rows = await query.execute();
  return rows
    .filter((row) => words.every((word) => row.summary.toLowerCase().includes(word)))
    .slice(0, PRECEDENTS_SHOWN)
    .map((row) => ({
      category: row.category as Rule,
      outcome: row.outcome as Precedent["outcome"],
      summary: row.summary,
      tsDecided: toIso(row.ts_decided),
    }));
}
