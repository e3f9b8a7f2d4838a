import { AUDIT_PAGE_SIZE } from "@lambda/contract/limits";
import { ActionKind } from "@lambda/contract/moderation";
import type { AuditEntry, Transparency } from "@lambda/contract/transparency";
import { sql } from "kysely";
import type { Context } from "../../platform/context.ts";
import type { PublicEntryRow } from "../../platform/db/tables.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import { cachedByHead } from "../audit/public-chain.ts";

/** The counts of a brand's public entries by action and, within it, by rule or result. */
export const readTotals = cachedByHead(async ({ db, brand }, head) => {
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
  return { head: head ?? null, rows, medianDecisionMs: waits[Math.floor((waits.length - 1) / 2)]?.ms ?? null };
});

/** The transparency page's figures for this brand, from the public chain alone, so that anybody can recount them. */
export async function readTransparency(ctx: Context): Promise<Transparency> {
  const { head, rows, medianDecisionMs } = await readTotals(ctx);
  const byAction = (action: string) => rows.filter((row) => row.action === action);
  const sum = (counts: typeof rows) => counts.reduce((total, row) => total + row.n, 0);
  return {
    reports: sum(byAction("report.filed")) + sum(byAction("report.joined")),
    decided: sum(byAction("report.decided")),
    byRule: byAction("report.filed").map((row) => ({ rule: row.what ?? "", count: row.n })),
    actions: ActionKind.options.map((kind) => ({ kind, count: sum(byAction(`action.${kind}`)) })),
    medianDecisionMs,
    appeals: sum(byAction("appeal.filed")),
    reversals: sum(byAction("appeal.decided").filter((row) => row.what === "reversed")),
    head,
  };
}

/** Lists the public chain after a sequence number. All brands share one chain. */
export async function listChain(ctx: Context, after: number): Promise<AuditEntry[]> {
  const rows = await ctx.db
    .selectFrom("public_entry")
    .selectAll()
    .where("seq", ">", after)
    .orderBy("seq")
    .limit(AUDIT_PAGE_SIZE)
    .execute();
  return rows.map(toAuditEntry);
}

/**
 * Lists the public entries of the viewer's decided case; an open case has none. The subject also gets the private
 * parts, to verify the hashes; a reporter does not.
 */
export async function listOwnCase(ctx: MemberContext, caseRef: string) {
  const { db, viewer } = ctx;
  const me = viewer.profileId;
  const rows = await db
    .selectFrom("public_entry as e")
    .leftJoin("audit_private as p", "p.seq", "e.entry_seq")
    .selectAll("e")
    .select(sql<string | null>`case when p.subject_id = ${me} then p.salt end`.as("salt"))
    .select(sql<string | null>`case when p.subject_id = ${me} then p.details end`.as("details"))
    .where("e.case_ref", "=", caseRef)
    .where(
      sql<boolean>`(exists (select 1 from report r where r.case_ref = ${caseRef} and r.subject_id = ${me})
        or exists (select 1 from moderation_action m where m.profile_id = ${me} and m.case_ref = ${caseRef})
        or exists (select 1 from report r join report_filing f on f.report_id = r.id
          where r.case_ref = ${caseRef} and f.reporter_id = ${me}))`,
    )
    .orderBy("e.seq")
    .limit(100)
    .execute();
  return rows.map((row) => ({
    ...toAuditEntry(row),
    // Omits the private part if it names an admin.
    ...(namesNoAdmin(row.details) ? { salt: row.salt, details: row.details } : { salt: null, details: null }),
  }));
}

function namesNoAdmin(details: string | null): boolean {
  return details !== null && (JSON.parse(details) as { actorId?: number | null }).actorId === null;
}

function toAuditEntry(row: PublicEntryRow): AuditEntry {
  return { seq: row.seq, body: row.body, previousHash: row.previous_hash, hash: row.hash };
}
