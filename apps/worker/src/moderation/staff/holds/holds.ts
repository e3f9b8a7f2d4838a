/** Lists holds, and what staff can do with a hold without opening it. */
import type { HoldEntry } from "@lambda/contract/holds";
import {
  HOLD_EXTENSION_MS,
  HOLD_EXTENSIONS_MAX,
  HOLD_MS,
  HOLD_OPEN_MS,
  HOLD_REQUEST_MS,
  QUEUE_PAGE_SIZE,
} from "@lambda/contract/limits";
import type { Rule } from "@lambda/contract/moderation";
import { sql } from "kysely";
import type { LegalHoldRequestRow } from "../../../platform/db/tables.ts";
import { toIso, toIsoOrNull } from "../../../platform/iso-time.ts";
import type { MemberContext } from "../../../platform/trpc.ts";
import { selectSame, withAudit } from "../../audit/log.ts";
import { startHold } from "../../hold/start.ts";
import { decideOnce, getCase } from "../cases.ts";
import { isCurrent } from "./opening.ts";
import { getHold, holdEvent, holdInScope } from "./scope.ts";

/** Lists the holds in scope, the first to end leading, or the hold of one case. */
export async function listHolds(ctx: MemberContext, reportId?: number): Promise<HoldEntry[]> {
  let query = ctx.db
    .selectFrom("legal_hold as h")
    .selectAll("h")
    .select(sql<number>`(select count(*) from legal_hold_item i where i.hold_ref = h.hold_ref)`.as("copies"))
    .select(
      sql<number>`(select coalesce(sum(bytes), 0) from legal_hold_item i where i.hold_ref = h.hold_ref)`.as("bytes"),
    )
    .where(holdInScope(ctx))
    .orderBy("h.ts_until")
    .limit(QUEUE_PAGE_SIZE);
  if (reportId !== undefined) query = query.where("h.report_id", "=", reportId);
  const holds = await query.execute();
  const requests = await listRequests(
    ctx,
    holds.map(({ hold_ref }) => hold_ref),
  );
  return holds.map((hold) => ({
    holdRef: hold.hold_ref,
    reportId: hold.report_id,
    caseRef: hold.case_ref,
    brand: hold.brand,
    rule: hold.rule as Rule,
    reason: hold.reason,
    confirmed: hold.confirmed === 1,
    extensible: hold.extensions < HOLD_EXTENSIONS_MAX,
    copies: hold.copies,
    bytes: hold.bytes,
    tsStarted: toIso(hold.ts_started),
    tsUntil: toIso(hold.ts_until),
    tipNumber: hold.tip_number,
    tsTip: toIsoOrNull(hold.ts_tip),
    request: toRequest(
      ctx,
      requests.find(({ hold_ref }) => hold_ref === hold.hold_ref),
    ),
  }));
}

/** Lists each hold's current requests: openings that involve this admin first, then pending requests. */
async function listRequests(ctx: MemberContext, holdRefs: readonly string[]): Promise<LegalHoldRequestRow[]> {
  const me = ctx.viewer.profileId;
  if (holdRefs.length === 0) return [];
  return ctx.db
    .selectFrom("legal_hold_request as q")
    .selectAll("q")
    .where("q.hold_ref", "in", [...holdRefs])
    .where(isCurrent(ctx.now))
    .where(sql<boolean>`(q.ts_agreed is null or ${me} in (q.asked_by, q.agreed_by))`)
    .orderBy(sql`q.ts_agreed is null`)
    .execute();
}

function toRequest({ viewer }: MemberContext, request: LegalHoldRequestRow | undefined): HoldEntry["request"] {
  if (!request) return null;
  const { asked_by, agreed_by, ts_asked, ts_agreed } = request;
  const me = viewer.profileId;
  return {
    requestRef: request.request_ref,
    mine: asked_by === me ? "asked" : agreed_by === me ? "agreed" : "no",
    reason: request.reason,
    tsAsked: toIso(ts_asked),
    tsUntil: toIso(ts_agreed === null ? ts_asked + HOLD_REQUEST_MS : ts_agreed + HOLD_OPEN_MS),
    open: ts_agreed !== null,
  };
}

/** Starts a hold on a case, or confirms an automatic one. */
export async function holdCase(ctx: MemberContext, reportId: number, reason: string): Promise<void> {
  const { id } = await getCase(ctx, reportId);
  await startHold(ctx, { reportId: id, reason, staffId: ctx.viewer.profileId });
}

/** Extends a hold at an authority's request; a repeat of the request changes nothing. Throws CONFLICT after HOLD_EXTENSIONS_MAX extensions. */
export async function extendHold(ctx: MemberContext, holdRef: string, reason: string): Promise<void> {
  const hold = await getHold(ctx, holdRef);
  const extended = holdEvent(ctx, hold, "hold.extended", { reason });
  if (await selectSame(ctx, extended).executeTakeFirst()) return;
  const isUnchanged = sql<boolean>`exists (select 1 from legal_hold where hold_ref = ${holdRef}
    and extensions = ${hold.extensions} and extensions < ${HOLD_EXTENSIONS_MAX})`;
  const extend = ctx.db
    .updateTable("legal_hold")
    .set({ confirmed: 1, extensions: hold.extensions + 1 })
    .set({ ts_until: Math.max(hold.ts_until, ctx.now) + HOLD_EXTENSION_MS })
    .where("hold_ref", "=", holdRef);
  await decideOnce(ctx, isUnchanged, [extend], [extended]);
}

/** Records that staff reported the case to the CyberTipline under this number. The year of the hold restarts now. */
export async function markTip(ctx: MemberContext, reportId: number, tipNumber: string): Promise<void> {
  const { id } = await getCase(ctx, reportId);
  const { db, now, viewer } = ctx;
  const reason = `Reported to the CyberTipline as ${tipNumber}.`;
  const hold = await startHold(ctx, { reportId: id, reason, staffId: viewer.profileId });
  await withAudit(
    ctx,
    [
      db
        .updateTable("legal_hold")
        .set({ tip_number: tipNumber, ts_tip: now, confirmed: 1, ts_until: Math.max(hold.ts_until, now + HOLD_MS) })
        .where("hold_ref", "=", hold.hold_ref),
    ],
    [holdEvent(ctx, hold, "hold.reported", { details: { number: tipNumber } })],
  );
}
