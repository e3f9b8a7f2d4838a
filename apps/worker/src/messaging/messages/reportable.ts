import { type RawBuilder, sql } from "kysely";
import { batch, type Database } from "../../platform/db/database.ts";
import { groupByDatabase, isInMessageDatabase } from "../../platform/db/message-databases.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import { withdrawEvidenceQuery } from "./sync-content.ts";

/** Those of the messages that a report may keep: messages between reporter and subject, and the subject's broadcasts on this brand. */
export async function listReportable(ctx: MemberContext, subjectId: number, ids: readonly number[]) {
  const lists = [...groupByDatabase(ctx.messageDatabases, ids)].map(([database, idsThere]) =>
    selectReportable(ctx, ctx.messageDatabases.open(database).db, subjectId, idsThere).execute(),
  );
  return (await Promise.all(lists)).flat();
}

/**
 * Called after a report was filed: withdraws messages of other databases that were unsent while the report was being written, before
 * there was evidence to withdraw.
 */
export async function withdrawUnsentEvidence(
  ctx: MemberContext,
  subjectId: number,
  ids: readonly number[],
): Promise<void> {
  const inOthers = [...groupByDatabase(ctx.messageDatabases, ids)].flatMap(([database, idsThere]) =>
    database === 0 ? [] : idsThere,
  );
  if (inOthers.length === 0) return;
  const remaining = new Set((await listReportable(ctx, subjectId, inOthers)).map(({ id }) => id));
  const unsent = inOthers.filter((id) => !remaining.has(id));
  if (unsent.length > 0) await batch(ctx.d1, [withdrawEvidenceQuery(ctx.db, unsent)]);
}

function selectReportable(ctx: MemberContext, db: Database, subjectId: number, ids: readonly number[]) {
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

/** Whether the viewer has what opens once open at this moment, on a row `once_view o`: minutes later its bytes are gone. */
function isOpenTo({ viewer, now }: Pick<MemberContext, "viewer" | "now">): RawBuilder<boolean> {
  return sql<boolean>`(o.reader_id = ${viewer.profileId} and o.ts_opened is not null and o.ts_due > ${now})`;
}

/** The subject's pictures that open once, in these messages, while the reporter has them open. */
export function listOpenOncePictures(ctx: MemberContext, subjectId: number, messageIds: readonly number[]) {
  return ctx.db
    .selectFrom("once_view as o")
    .innerJoin("picture as pic", "pic.id", "o.picture_id")
    .select(["pic.id", "pic.profile_id", "pic.version", "pic.audience"])
    .select(sql<number>`pic.nsfw_owner | pic.nsfw_community`.as("nsfw"))
    .where("o.message_id", "in", messageIds)
    .where("o.sender_id", "=", subjectId)
    .where(isOpenTo(ctx))
    .execute();
}

/** The voice messages among reportable messages. One that opens once is left out unless the reporter has it open. */
export function listReportableVoices(ctx: MemberContext, messageIds: readonly number[]) {
  return ctx.db
    .selectFrom("voice as v")
    .leftJoin("once_view as o", "o.voice_id", "v.id")
    .select(["v.r2_key", "v.mime", "v.message_id"])
    .where("v.message_id", "in", messageIds)
    .where(sql<boolean>`(v.once = 0 or ${isOpenTo(ctx)})`)
    .execute();
}

/** Whether a message was neither unsent nor deleted with its author's account. For messages outside the main database, `withdrawn` tells. */
export function stillExists(messageId: RawBuilder<unknown>, withdrawn: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`iif(${isInMessageDatabase(messageId)} and not exists (select 1 from message w where w.id = ${messageId}),
    ${withdrawn} = 0, exists (select 1 from message w where w.id = ${messageId} and w.ts_unsent is null))`;
}
