/** Who may report whom, and how credible a reporter is. */

import type { Brand } from "@lambda/brands";
import { sql } from "kysely";
import { onBrand } from "../../platform/context.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import { blockedBy, isMemberOf, visibleTo } from "../../visibility/visibility.ts";
import { reporterCredibility } from "./rules.ts";

/**
 * The brand whose staff and juries judge a subject who is visible now, or was in contact before: wrote with the viewer, or was blocked; which
 * does not reveal who hides, was banned or is leaving. It is the subject's home for a reporter on a brand that does not have the subject:
 * nobody chooses by whom others are looked at.
 */
export async function findDesk(ctx: MemberContext, subjectId: number): Promise<Brand | undefined> {
  const me = ctx.viewer.profileId;
  const row = await ctx.db
    .selectFrom("profile as p")
    .innerJoin("account as a", "a.id", "p.id")
    .select(["a.home_brand", isMemberOf(ctx.brand).as("here")])
    .where("p.id", "=", subjectId)
    .where(
      sql<boolean>`(${visibleTo(ctx)}
        or exists (select 1 from conversation c where c.profile_id = ${me} and c.other_id = p.id)
        or ${blockedBy(me, sql.ref("p.id"))})`,
    )
    .executeTakeFirst();
  return row && onBrand(ctx, row.here ? ctx.brand.id : row.home_brand).brand;
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
