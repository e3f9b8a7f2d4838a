import { ActionKind, type OwnAction, type OwnRecord, type Rule } from "@lambda/contract/moderation";
import { sql } from "kysely";
import { toIso, toIsoOrNull } from "../../platform/iso-time.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import { selectFiler, toDetection } from "../action/detection.ts";
import { appealOf } from "../case/appeal-rules.ts";
import { isUnderAppeal } from "../evidence/settled.ts";
import { readTotals } from "../transparency/queries.ts";

/** The actions against the viewer, and the brand's totals. Suspended and banned members may read it too. */
export async function readOwnRecord(ctx: MemberContext): Promise<OwnRecord> {
  const [actions, evidence, { rows: totals }] = await Promise.all([
    listOwnActions(ctx),
    listOwnEvidence(ctx),
    readTotals(ctx),
  ]);
  const count = (action: string) => totals.reduce((sum, row) => (row.action === action ? sum + row.n : sum), 0);
  const { status, statusUntil } = ctx.viewer;
  return {
    status: status === "suspended" || status === "banned" ? status : "active",
    until: status === "suspended" && statusUntil !== null ? toIso(statusUntil) : null,
    actions: actions.map((action) => toOwnAction(action, evidence, ctx.now)),
    totals: ActionKind.options.map((kind: ActionKind) => {
      const lifted = count(`lift.${kind}`);
      return { kind, active: Math.max(0, count(`action.${kind}`) - lifted), lifted };
    }),
  };
}

function listOwnActions({ db, viewer }: MemberContext) {
  return db
    .selectFrom("moderation_action as m")
    .leftJoin("report as r", "r.id", "m.report_id")
    .leftJoin("appeal as a", (join) => join.onRef("a.report_id", "=", "m.report_id").on("a.side", "=", "subject"))
    .select(["m.id", "m.case_ref", "m.report_id", "m.kind", "m.rule", "m.reason", "m.by_jury", "m.ts_created"])
    .select(["m.ts_until", "m.ts_lifted", "m.lifted_by", "r.ts_decided", "r.state", "r.outcome", "r.brand"])
    .select(["a.result", "a.ts_created as ts_appealed"])
    .select(isUnderAppeal("m.report_id").as("pending_any"))
    .select(selectFiler(sql.ref<string>("m.case_ref")).as("filed_by"))
    .where("m.profile_id", "=", viewer.profileId)
    .orderBy("m.ts_created", "desc")
    .limit(50)
    .execute();
}
type ActionRow = Awaited<ReturnType<typeof listOwnActions>>[number];

/** The viewer's own texts and pictures among the evidence for the actions against them. */
function listOwnEvidence({ db, viewer }: MemberContext) {
  const cases = db.selectFrom("moderation_action").select("report_id").where("profile_id", "=", viewer.profileId);
  return db
    .selectFrom("evidence")
    .select(["report_id", "kind", "body"])
    .where("report_id", "in", cases.where("report_id", "is not", null))
    .where("author_id", "=", viewer.profileId)
    .where("kind", "<>", "profile")
    .execute();
}
type EvidenceRow = Awaited<ReturnType<typeof listOwnEvidence>>[number];

function toOwnAction(action: ActionRow, evidence: readonly EvidenceRow[], now: number): OwnAction {
  // A suspension that ran out can still be appealed; one that an appeal lifted cannot.
  const outcome = action.state === "decided" && action.lifted_by !== "appeal" ? action.outcome : null;
  return {
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
    tsCreated: toIso(action.ts_created),
    tsUntil: toIsoOrNull(action.ts_until),
    tsLifted: toIsoOrNull(action.ts_lifted),
    liftedBy: action.lifted_by,
    detection: toDetection(action.filed_by),
    ...appealOf("subject", { ...action, outcome }, now),
  };
}

/** Leaves out the text of a personal message, which would reveal who reported it. A broadcast went to everyone. */
function textForSubject(kind: string, body: string): string {
  const { text = "", broadcast } = JSON.parse(body) as { text?: string; broadcast?: boolean };
  return kind === "message" && !broadcast ? "" : text;
}
