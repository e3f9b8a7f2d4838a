/** Which holds are in an admin's scope, and the audit events about them. */
import { type RawBuilder, sql } from "kysely";
import type { LegalHoldRow } from "../../../platform/db/tables.ts";
import { notFound } from "../../../platform/errors.ts";
import type { MemberContext } from "../../../platform/trpc.ts";
import type { AuditEvent } from "../../audit/chain.ts";
import { staffEvent } from "../../audit/log.ts";
import { brandInScope } from "../scope.ts";

/** Whether a hold, as a `legal_hold h` row, is in scope; never one about the admin. */
export function holdInScope(ctx: MemberContext): RawBuilder<boolean> {
  return sql<boolean>`(${brandInScope(ctx, "h.brand")}
    and not exists (select 1 from report s where s.id = h.report_id and s.subject_id = ${ctx.viewer.profileId}))`;
}

/** Throws NOT_FOUND out of scope, or if the hold was erased. */
export async function getHold(ctx: MemberContext, holdRef: string): Promise<LegalHoldRow> {
  return ctx.db
    .selectFrom("legal_hold as h")
    .selectAll("h")
    .where("h.hold_ref", "=", holdRef)
    .where(holdInScope(ctx))
    .executeTakeFirstOrThrow(notFound);
}

/** Confidential: the subject of a case must not learn about its hold. */
export function holdEvent(
  ctx: MemberContext,
  hold: Pick<LegalHoldRow, "brand" | "hold_ref" | "case_ref">,
  action: `hold.${string}`,
  { details = {}, reason }: { details?: AuditEvent["details"]; reason?: string } = {},
): AuditEvent {
  return staffEvent(ctx, action, {
    brand: hold.brand,
    confidential: true,
    details: { hold: hold.hold_ref, case: hold.case_ref, ...details },
    ...(reason !== undefined && { privateDetails: { reason } }),
  });
}
