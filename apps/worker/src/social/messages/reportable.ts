import { type RawBuilder, sql } from "kysely";
import type { MemberContext } from "../../platform/trpc.ts";

/** Of these messages, those that a report about the subject may keep: between reporter and subject, and the subject's broadcasts on this brand. */
export function listReportable(ctx: MemberContext, subjectId: number, ids: readonly number[]) {
  const me = ctx.viewer.profileId;
  return ctx.db
    .selectFrom("message")
    .select(["id", "sender_id", "recipient_id", "body_text", "picture_ids", "ts_created"])
    .select(sql<0 | 1>`ifnull(attachment ->> '$.type' = 'once', 0)`.as("once"))
    .where("id", "in", ids)
    .where("ts_unsent", "is", null)
    .where((eb) =>
      eb.or([
        eb.and([eb("sender_id", "=", subjectId), eb("recipient_id", "=", me)]),
        eb.and([eb("sender_id", "=", me), eb("recipient_id", "=", subjectId)]),
        eb.and([eb("sender_id", "=", subjectId), eb("recipient_id", "is", null), eb("brand", "=", ctx.brand.id)]),
      ]),
    )
    .execute();
}

/** Neither taken back nor gone with its author's account. */
export function isStillThere(messageId: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`exists (select 1 from message w where w.id = ${messageId} and w.ts_unsent is null)`;
}
