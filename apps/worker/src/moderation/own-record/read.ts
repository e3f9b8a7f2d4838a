import type { ActionKind, Rule, Standing } from "@lambda/contract/moderation";
import { ACTION_KINDS } from "@lambda/contract/moderation";
import { sql } from "kysely";
import type { MemberContext } from "../../platform/trpc.ts";
import { appealState } from "../case/rules.ts";
import { readTotals } from "../transparency/totals.ts";

/** A member's own standing: each action against them, and the brand's totals. Open to suspended members too. */
export async function readStanding(ctx: MemberContext): Promise<Standing> {
  const { db, viewer, now } = ctx;
  const actions = await db
    .selectFrom("moderation_action as m")
    .leftJoin("report as r", "r.id", "m.report_id")
    .leftJoin("appeal as a", (join) => join.onRef("a.report_id", "=", "m.report_id").on("a.side", "=", "subject"))
    .select(["m.id", "m.case_ref", "m.report_id", "m.kind", "m.rule", "m.reason", "m.by_jury", "m.ts_created"])
    .select(["m.ts_until", "m.ts_lifted", "m.lifted_by", "r.ts_decided", "r.state", "r.outcome", "r.brand"])
    .select(["a.result", "a.ts_created as ts_appealed"])
    .select(
      sql<number>`exists (select 1 from appeal p where p.report_id = m.report_id and p.result is null)`.as(
        "pending_any",
      ),
    )
    .where("m.profile_id", "=", viewer.profileId)
    .orderBy("m.id", "desc")
    .limit(50)
    .execute();
  const reports = actions.flatMap((action) => (action.report_id === null ? [] : [action.report_id]));
  const evidence =
    reports.length === 0
      ? []
      : await db
          .selectFrom("evidence")
          .select(["report_id", "kind", "body"])
          .where("report_id", "in", reports)
          .where("author_id", "=", viewer.profileId)
          .where("kind", "<>", "profile")
          .execute();
  const { rows: totals } = await readTotals(ctx);
  const count = (action: string) => totals.reduce((sum, row) => (row.action === action ? sum + row.n : sum), 0);
  const { status, statusUntil } = viewer;
  return {
    status: status === "suspended" || status === "banned" ? status : "active",
    until: status === "suspended" && statusUntil !== null ? new Date(statusUntil).toISOString() : null,
    actions: actions.map((action) => ({
      id: action.id,
      caseRef: action.case_ref,
      reportId: action.report_id,
      kind: action.kind,
      rule: action.rule as Rule,
      reason: action.reason,
      byJury: action.by_jury === 1,
      evidence: evidence
        .filter((item) => item.report_id === action.report_id)
        .map((item) => ({ kind: item.kind, text: textForSubject(item.kind, item.body) })),
      tsCreated: new Date(action.ts_created).toISOString(),
      tsUntil: isoOrNull(action.ts_until),
      tsLifted: isoOrNull(action.ts_lifted),
      liftedBy: action.lifted_by,
      appeal: appealState({
        // As fileAppeal sees it: a suspension that is served can still be appealed. One that an appeal lifted is done with.
        lost: action.lifted_by !== "appeal" && action.report_id !== null && action.outcome !== "none",
        open: action.state !== "decided",
        decidedAt: action.ts_decided,
        appealed: action.ts_appealed !== null,
        result: action.result,
        pendingAny: action.pending_any === 1,
        now,
      }),
    })),
    totals: ACTION_KINDS.map((kind: ActionKind) => {
      const lifted = count(`lift.${kind}`);
      return { kind, active: Math.max(0, count(`action.${kind}`) - lifted), lifted };
    }),
  };
}

/** A broadcast went to all; a personal message went to one member, who must not be told by its words. */
function textForSubject(kind: string, body: string): string {
  const { text = "", broadcast } = JSON.parse(body) as { text?: string; broadcast?: boolean };
  return kind === "message" && !broadcast ? "" : text;
}

function isoOrNull(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString();
}
