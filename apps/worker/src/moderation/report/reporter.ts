/** Who may report whom, and how credible a reporter is. */
import { sql } from "kysely";
import { blockedBy, visibleTo } from "../../members/visibility/visibility.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import { reporterCredibility } from "./rules.ts";

/**
 * Whether the subject is visible now, or was in contact before: wrote with the viewer, or was blocked. The result does
 * not reveal who hides, was banned or is leaving.
 */
export async function canReport(ctx: MemberContext, subjectId: number): Promise<boolean> {
  const me = ctx.viewer.profileId;
  const row = await ctx.db
    .selectFrom("profile as p")
    .select("p.id")
    .where("p.id", "=", subjectId)
    .where(
      sql<boolean>`(${visibleTo(ctx)}
        or exists (select 1 from conversation c where c.profile_id = ${me} and c.other_id = p.id)
        or ${blockedBy(me, sql.ref("p.id"))})`,
    )
    .executeTakeFirst();
  return row !== undefined;
}

/** Computed from the reporter's latest 50 decided reports. */
export async function readCredibility(ctx: MemberContext): Promise<number> {
  const latest = ctx.db
    .selectFrom("report_filing as f")
    .innerJoin("report as r", "r.id", "f.report_id")
    .select("r.outcome")
    .where("f.reporter_id", "=", ctx.viewer.profileId)
    .where("r.state", "=", "decided")
    .orderBy("f.ts_created", "desc")
    .limit(50);
  const { decided, upheld } = await ctx.db
    .selectFrom(latest.as("l"))
    .select(({ fn }) => fn.countAll<number>().as("decided"))
    .select(sql<number>`coalesce(sum(outcome <> 'none'), 0)`.as("upheld"))
    .executeTakeFirstOrThrow();
  return reporterCredibility(decided, upheld);
}
