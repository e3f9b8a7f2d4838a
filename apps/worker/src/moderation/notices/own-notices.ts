/** Notices as the pictures' owner reads them: the decision and its reason, and nothing about the notifier. */
import { NOTICE_COUNTER_WINDOW_MS } from "@lambda/contract/limits";
import type { OwnNotice } from "@lambda/contract/notices";
import { sql } from "kysely";
import { AppError, notFound } from "../../platform/errors.ts";
import { toIso, toIsoOrNull } from "../../platform/iso-time.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import { decideOnce } from "../staff/cases.ts";
import { noticeEvent } from "./events.ts";

/** Whether the owner learns of a row `h` of `notice_picture`: the notice has hidden it, or they were told that staff looked at it. */
export const isKnownToOwner = () => sql<boolean>`(${wasHidden()} or h.ts_view_told is not null)`;

/** When staff first looked at it while it was not public; null until its owner is told. */
export const viewKnownToOwner = () => sql<number | null>`iif(${sql.ref("h.ts_view_told")} is null, null, h.ts_viewed)`;

const wasHidden = () =>
  sql<boolean>`(h.state in ('hidden', 'removed', 'deleted') or (h.state = 'cleared' and h.hidden_immediately = 1))`;

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
      // The state of the picture that matters most to the owner.
      .select(
        sql<
          OwnNotice["state"]
        >`case min(case when not ${wasHidden()} then 5 when h.state = 'hidden' then 1 when h.state = 'removed' then 2
        when h.state = 'deleted' then 3 else 4 end)
        when 1 then 'hidden' when 2 then 'removed' when 3 then 'deleted' when 4 then 'cleared' else 'viewed' end`.as(
          "state",
        ),
      )
      .select(sql<number>`min(h.ts_created)`.as("ts_hidden"))
      .select(sql<number | null>`min(${viewKnownToOwner()})`.as("ts_viewed"))
      .where("h.profile_id", "=", viewer.profileId)
      .where(isKnownToOwner())
      .groupBy("n.id")
  );
}
type OwnRow = Awaited<ReturnType<ReturnType<typeof selectOwn>["executeTakeFirstOrThrow"]>>;

export async function listOwnNotices(ctx: MemberContext): Promise<OwnNotice[]> {
  const rows = await selectOwn(ctx).orderBy("n.ts_created", "desc").limit(50).execute();
  return rows.map((row) => toOwnNotice(row, ctx.now));
}

/**
 * Files the owner's one counter-notice. Throws NOT_FOUND for a notice about other members' pictures, CONFLICT for a
 * second or late one.
 */
export async function fileCounterNotice(ctx: MemberContext, id: number, text: string): Promise<OwnNotice> {
  const row = await selectOwn(ctx).where("n.id", "=", id).executeTakeFirstOrThrow(notFound);
  if (!canCounter(row, ctx.now)) throw new AppError("CONFLICT");
  const me = ctx.viewer.profileId;
  const isFirst = sql<boolean>`not exists (select 1 from notice_counter where notice_id = ${id} and profile_id = ${me})`;
  const insert = ctx.db
    .insertInto("notice_counter")
    .values({ notice_id: id, profile_id: me, text, ts_created: ctx.now });
  const undecided = row.ts_decided === null;
  await decideOnce(ctx, isFirst, [insert], [noticeEvent(row, "countered", { by: "member", undecided, subjectId: me })]);
  return toOwnNotice(await selectOwn(ctx).where("n.id", "=", id).executeTakeFirstOrThrow(), ctx.now);
}

function canCounter(row: OwnRow, now: number): boolean {
  if (row.ts_countered !== null) return false;
  if (row.state === "hidden") return true;
  return row.state === "removed" && row.ts_decided !== null && now <= row.ts_decided + NOTICE_COUNTER_WINDOW_MS;
}

function toOwnNotice(row: OwnRow, now: number): OwnNotice {
  return {
    id: row.id,
    category: row.category as OwnNotice["category"],
    state: row.state,
    pictureIds: JSON.parse(row.pictures) as number[],
    reason: row.counter_reason || row.reason,
    tsHidden: toIso(row.ts_hidden),
    tsViewed: toIsoOrNull(row.ts_viewed),
    tsDecided: toIsoOrNull(row.ts_decided),
    counter: {
      allowed: canCounter(row, now),
      text: row.text ?? "",
      result: row.result,
      tsCreated: toIsoOrNull(row.ts_countered),
    },
  };
}
