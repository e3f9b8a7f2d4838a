/** Notices as the owner of the pictures reads them: what was decided and why, and nothing of whoever filed them. */
import { NOTICE_COUNTER_MS } from "@lambda/contract/limits";
import type { OwnNotice } from "@lambda/contract/notices";
import { sql } from "kysely";
import { failedGuard, guardQuery } from "../../platform/db/guard.ts";
import { AppError } from "../../platform/errors.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import { withAudit } from "../audit/log.ts";
import { counteredEvent } from "./events.ts";

type State = OwnNotice["state"];

function selectOwn({ db, viewer }: MemberContext) {
  return (
    db
      .selectFrom("notice_picture as h")
      .innerJoin("notice as n", "n.id", "h.notice_id")
      .leftJoin("notice_counter as c", (join) =>
        join.onRef("c.notice_id", "=", "n.id").onRef("c.profile_id", "=", "h.profile_id"),
      )
      .select(["n.id", "n.brand", "n.case_ref", "n.category", "n.reason", "n.ts_decided"])
      .select(["c.text", "c.result", "c.reason as counter_reason", "c.ts_created as ts_countered"])
      .select(sql<string>`json_group_array(h.picture_id)`.as("pictures"))
      // Of several pictures the one that matters most to their owner.
      .select(
        sql<State>`case min(case h.state when 'hidden' then 1 when 'removed' then 2 when 'deleted' then 3 else 4 end)
        when 1 then 'hidden' when 2 then 'removed' when 3 then 'deleted' else 'cleared' end`.as("state"),
      )
      .select(sql<number>`min(h.ts_created)`.as("ts_hidden"))
      .where("h.profile_id", "=", viewer.profileId)
      // One that staff only looked at, and never hid, is no matter of the owner's.
      .where(sql<boolean>`(h.state in ('hidden', 'removed', 'deleted') or (h.state = 'cleared' and h.at_once = 1))`)
      .groupBy("n.id")
  );
}
type OwnRow = Awaited<ReturnType<ReturnType<typeof selectOwn>["executeTakeFirstOrThrow"]>>;

export async function listOwnNotices(ctx: MemberContext): Promise<OwnNotice[]> {
  const rows = await selectOwn(ctx).orderBy("n.id", "desc").limit(50).execute();
  return rows.map((row) => toOwnNotice(row, ctx.now));
}

/** The owner's one answer. Throws NOT_FOUND for a notice of others, CONFLICT for a second answer or one that comes too late. */
export async function fileCounter(ctx: MemberContext, id: number, text: string): Promise<OwnNotice> {
  const row = await selectOwn(ctx).where("n.id", "=", id).executeTakeFirst();
  if (!row) throw new AppError("NOT_FOUND");
  if (!mayCounter(row, ctx.now)) throw new AppError("CONFLICT");
  const me = ctx.viewer.profileId;
  const first = sql<boolean>`not exists (select 1 from notice_counter where notice_id = ${id} and profile_id = ${me})`;
  const written = ctx.db
    .insertInto("notice_counter")
    .values({ notice_id: id, profile_id: me, text, ts_created: ctx.now })
    .compile();
  try {
    await withAudit(ctx, [guardQuery(ctx.db, first), written], [counteredEvent(row, me, row.ts_decided === null)]);
  } catch (error) {
    if (failedGuard(error)) throw new AppError("CONFLICT");
    throw error;
  }
  return toOwnNotice(await selectOwn(ctx).where("n.id", "=", id).executeTakeFirstOrThrow(), ctx.now);
}

function mayCounter(row: OwnRow, now: number): boolean {
  if (row.ts_countered !== null) return false;
  if (row.state === "hidden") return true;
  return row.state === "removed" && row.ts_decided !== null && now <= row.ts_decided + NOTICE_COUNTER_MS;
}

function toOwnNotice(row: OwnRow, now: number): OwnNotice {
  return {
    id: row.id,
    category: row.category as OwnNotice["category"],
    state: row.state,
    pictureIds: JSON.parse(row.pictures) as number[],
    reason: row.counter_reason || row.reason,
    tsHidden: new Date(row.ts_hidden).toISOString(),
    tsDecided: row.ts_decided === null ? null : new Date(row.ts_decided).toISOString(),
    counter: {
      allowed: mayCounter(row, now),
      text: row.text ?? "",
      result: row.result,
      tsCreated: row.ts_countered === null ? null : new Date(row.ts_countered).toISOString(),
    },
  };
}
