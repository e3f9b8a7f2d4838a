import { type RawBuilder, sql } from "kysely";
import { batch } from "../../platform/db/batch.ts";
import type { Database } from "../../platform/db/database.ts";
import { byShard, isElsewhere } from "../../platform/db/shards.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import { withdrawQuery } from "./carried.ts";

/** Of these messages, those that a report about the subject may keep: between reporter and subject, and the subject's broadcasts on this brand. */
export async function listReportable(ctx: MemberContext, subjectId: number, ids: readonly number[]) {
  const found = [...byShard(ctx.shards, ids)].map(([shard, some]) =>
    reportableQuery(ctx, ctx.shards.open(shard).db, subjectId, some).execute(),
  );
  return (await Promise.all(found)).flat();
}

/**
 * After a report was filed: what was taken back in another database while the report was written is withdrawn now, as the taking back
 * found no evidence yet.
 */
export async function withdrawGone(ctx: MemberContext, subjectId: number, ids: readonly number[]): Promise<void> {
  const elsewhere = [...byShard(ctx.shards, ids)].flatMap(([shard, some]) => (shard === 0 ? [] : some));
  if (elsewhere.length === 0) return;
  const there = new Set((await listReportable(ctx, subjectId, elsewhere)).map(({ id }) => id));
  const gone = elsewhere.filter((id) => !there.has(id));
  if (gone.length > 0) await batch(ctx.d1, [withdrawQuery(ctx.db, gone)]);
}

function reportableQuery(ctx: MemberContext, db: Database, subjectId: number, ids: readonly number[]) {
  const me = ctx.viewer.profileId;
  return db
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
    );
}

/** Neither taken back nor gone with its author's account; `withdrawn` says it of messages that the main database does not have. */
export function isStillThere(messageId: RawBuilder<unknown>, withdrawn: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`iif(${isElsewhere(messageId)} and not exists (select 1 from message w where w.id = ${messageId}),
    ${withdrawn} = 0, exists (select 1 from message w where w.id = ${messageId} and w.ts_unsent is null))`;
}
