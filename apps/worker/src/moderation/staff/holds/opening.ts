/**
 * Opening a hold takes two admins: one asks with a reason, another agrees, and both can view it for a day. Both must be
 * admins of the hold's brand or the network when one agrees and at each view.
 */
import type { HoldContent } from "@lambda/contract/holds";
import { HOLD_OPEN_MS, HOLD_REQUEST_MS } from "@lambda/contract/limits";
import { type RawBuilder, sql } from "kysely";
import type { LegalHoldItemRow, LegalHoldRequestRow, LegalHoldRow } from "../../../platform/db/tables.ts";
import { AppError, notFound } from "../../../platform/errors.ts";
import { randomHex } from "../../../platform/hash.ts";
import { toIso } from "../../../platform/iso-time.ts";
import type { MemberContext } from "../../../platform/trpc.ts";
import { withAudit } from "../../audit/log.ts";
import type { HoldRecord } from "../../hold/record.ts";
import { unseal } from "../../hold/seal.ts";
import { holdObjectKey } from "../../hold/start.ts";
import { decideOnce } from "../cases.ts";
import { isActiveAdminOf } from "../scope.ts";
import { getHold, holdEvent } from "./scope.ts";

/** Throws CONFLICT if a request is pending or this admin already has the hold open. */
export async function askToOpen(ctx: MemberContext, holdRef: string, reason: string): Promise<void> {
  const { db, now, viewer } = ctx;
  const hold = await getHold(ctx, holdRef);
  const hasNoRequest = sql<boolean>`not exists (select 1 from legal_hold_request q where q.hold_ref = ${holdRef}
    and ${isCurrent(now)} and (q.ts_agreed is null or ${viewer.profileId} in (q.asked_by, q.agreed_by)))`;
  const queries = [
    db
      .deleteFrom("legal_hold_request as q")
      .where("q.hold_ref", "=", holdRef)
      .where(sql<boolean>`not ${isCurrent(now)}`),
    db
      .insertInto("legal_hold_request")
      .values({ request_ref: randomHex(12), hold_ref: holdRef, asked_by: viewer.profileId, reason, ts_asked: now }),
  ];
  await decideOnce(ctx, hasNoRequest, queries, [holdEvent(ctx, hold, "hold.open_asked", { reason })]);
}

/**
 * Throws NOT_ALLOWED for the admin who asked, CONFLICT if the request expired, was answered, or its author lost their
 * admin role.
 */
export async function agreeToOpen(ctx: MemberContext, requestRef: string): Promise<void> {
  const { db, now, viewer } = ctx;
  const { request, hold } = await getRequest(ctx, requestRef);
  if (request.asked_by === viewer.profileId) {
    throw new AppError("NOT_ALLOWED", { message: "You asked for it: another admin has to agree." });
  }
  const isPending = sql<boolean>`exists (select 1 from legal_hold_request q join legal_hold h on h.hold_ref = q.hold_ref
    where q.request_ref = ${requestRef} and q.ts_agreed is null and ${isCurrent(now)} and ${isAdmin("q.asked_by")})`;
  const agree = db
    .updateTable("legal_hold_request")
    .set({ agreed_by: viewer.profileId, ts_agreed: now })
    .where("request_ref", "=", requestRef);
  await decideOnce(ctx, isPending, [agree], [holdEvent(ctx, hold, "hold.open_agreed")]);
}

/** Refuses or withdraws a request, or ends an opening. */
export async function refuseToOpen(ctx: MemberContext, requestRef: string): Promise<void> {
  const { hold } = await getRequest(ctx, requestRef);
  await withAudit(
    ctx,
    [ctx.db.deleteFrom("legal_hold_request").where("request_ref", "=", requestRef)],
    [holdEvent(ctx, hold, "hold.open_refused")],
  );
}

/** Loads the hold if this admin is one of the two who have it open. Throws NOT_ALLOWED otherwise. */
async function getOpenHold(ctx: MemberContext, holdRef: string): Promise<LegalHoldRow> {
  const hold = await getHold(ctx, holdRef);
  const open = await ctx.db
    .selectFrom("legal_hold_request as q")
    .innerJoin("legal_hold as h", "h.hold_ref", "q.hold_ref")
    .select("q.request_ref")
    .where("q.hold_ref", "=", holdRef)
    .where("q.ts_agreed", "is not", null)
    .where(isCurrent(ctx.now))
    .where(sql<boolean>`${ctx.viewer.profileId} in (q.asked_by, q.agreed_by)`)
    .where(isAdmin("q.asked_by"))
    .where(isAdmin("q.agreed_by"))
    .executeTakeFirst();
  if (!open) throw new AppError("NOT_ALLOWED", { message: "Two admins have to open this hold first." });
  return hold;
}

/** Whether a request, as a `legal_hold_request q` row, is pending or open and has not expired. */
export function isCurrent(now: number): RawBuilder<boolean> {
  return sql<boolean>`case when q.ts_agreed is null then q.ts_asked > ${now - HOLD_REQUEST_MS} else q.ts_agreed > ${now - HOLD_OPEN_MS} end`;
}

/** Whether an account is currently an admin of the hold `h` and not its subject. */
function isAdmin(column: "q.asked_by" | "q.agreed_by"): RawBuilder<boolean> {
  return sql<boolean>`exists (select 1 from account a join profile p on p.id = a.id where a.id = ${sql.ref(column)}
    and ${isActiveAdminOf(sql.ref<string>("h.brand"))}
    and not exists (select 1 from report s where s.id = h.report_id and s.subject_id = a.id))`;
}

async function getRequest(
  ctx: MemberContext,
  requestRef: string,
): Promise<{ request: LegalHoldRequestRow; hold: LegalHoldRow }> {
  const request = await ctx.db
    .selectFrom("legal_hold_request")
    .selectAll()
    .where("request_ref", "=", requestRef)
    .executeTakeFirstOrThrow(notFound);
  return { request, hold: await getHold(ctx, request.hold_ref) };
}

/** The content of an opened hold. Each view is logged in the audit log before the content is returned. */
export async function readHold(ctx: MemberContext, holdRef: string): Promise<HoldContent> {
  const hold = await getOpenHold(ctx, holdRef);
  const items = await ctx.db
    .selectFrom("legal_hold_item")
    .selectAll()
    .where("hold_ref", "=", holdRef)
    .orderBy("ts_created")
    .orderBy("mac")
    .execute();
  await withAudit(ctx, [], [holdEvent(ctx, hold, "hold.viewed", { details: { what: "record" } })]);
  const content: HoldContent = { records: [], pictures: [] };
  const voiceIds = new Set<number | null>();
  for (const item of items.filter(({ kind }) => kind === "record")) {
    const json = new TextDecoder().decode(await openItem(ctx, hold, item));
    content.records.push({ tsKept: toIso(item.ts_created), json });
    // Evidence with bytes is either a picture or a voice recording.
    const { evidence } = JSON.parse(json) as Pick<HoldRecord, "evidence">;
    for (const { id, kind } of evidence) if (kind !== "picture") voiceIds.add(id);
  }
  for (const { kind, mac, bytes, evidence_id: evidenceId } of items) {
    if (kind !== "record") content.pictures.push({ mac, kind, evidenceId, isVoice: voiceIds.has(evidenceId), bytes });
  }
  return content;
}

export async function readHeldPicture(ctx: MemberContext, holdRef: string, mac: string): Promise<Uint8Array> {
  const hold = await getOpenHold(ctx, holdRef);
  const item = await ctx.db
    .selectFrom("legal_hold_item")
    .selectAll()
    .where("hold_ref", "=", holdRef)
    .where("mac", "=", mac)
    .where("kind", "<>", "record")
    .executeTakeFirstOrThrow(notFound);
  await withAudit(
    ctx,
    [],
    [holdEvent(ctx, hold, "hold.viewed", { details: { what: item.kind, copy: mac.slice(0, 12) } })],
  );
  return openItem(ctx, hold, item);
}

async function openItem({ env }: MemberContext, hold: LegalHoldRow, { mac }: LegalHoldItemRow): Promise<Uint8Array> {
  const object = await env.PICTURES.get(holdObjectKey(hold, mac));
  if (!object) throw new AppError("NOT_FOUND");
  return unseal(env.HOLD_KEY, hold, mac, await object.arrayBuffer());
}
