/**
 * Tells owners that staff looked at a picture of theirs that was not public. They learn it once the notice, or the case that it led to, is
 * decided, so that nobody is warned of an inquiry.
 */
import { NOTICE_VIEW_TOLD_MS } from "@lambda/contract/limits";
import { sql } from "kysely";
import { announce, insertNotificationQuery, scheduledContext } from "../../notifications/notify.ts";
import { batch, openDatabase, type Query } from "../../platform/db/database.ts";
import type { Env } from "../../platform/env.ts";
import { forEachDue } from "../../platform/for-each.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import { ownerNotification } from "./match.ts";

/** For the batch in which staff get to see these pictures of a notice: remembers the first look at those that were not public. */
export function viewQuery({ db, now }: MemberContext, noticeId: number, pictureIds: readonly number[]): Query {
  return db
    .updateTable("notice_picture")
    .set({ ts_viewed: now })
    .where("notice_id", "=", noticeId)
    .where("picture_id", "in", [0, ...pictureIds])
    .where("was_public", "=", 0)
    .where("ts_viewed", "is", null);
}

/** Scheduled. A notice that stays undecided for long, without a case, keeps a look secret no longer. */
export async function tellOwnersOfViews(env: Env, now: number): Promise<void> {
  const due = await openDatabase(env.DB)
    .selectFrom("notice_picture as h")
    .innerJoin("notice as n", "n.id", "h.notice_id")
    .leftJoin("report as r", "r.id", "n.report_id")
    .select(["h.notice_id", "h.profile_id", "n.brand"])
    .distinct()
    .where("h.ts_viewed", "is not", null)
    .where("h.ts_view_told", "is", null)
    .where((eb) => eb.or([eb("n.ts_decided", "is not", null), eb("h.ts_viewed", "<", now - NOTICE_VIEW_TOLD_MS)]))
    .where((eb) => eb.or([eb("r.id", "is", null), eb("r.state", "=", sql.lit("decided"))]))
    .limit(100)
    .execute();
  await forEachDue(due, async ({ notice_id: noticeId, profile_id: profileId, brand }) => {
    const ctx = scheduledContext(env, brand, now);
    const isUntold = sql<boolean>`exists (select 1 from notice_picture where notice_id = ${noticeId} and profile_id = ${profileId}
      and ts_viewed is not null and ts_view_told is null)`;
    const [told] = await batch(ctx.d1, [
      insertNotificationQuery(ctx, { ...ownerNotification(profileId, "viewed"), onlyIf: isUntold }),
      ctx.db
        .updateTable("notice_picture")
        .set({ ts_view_told: now })
        .where("notice_id", "=", noticeId)
        .where("profile_id", "=", profileId)
        .where("ts_viewed", "is not", null)
        .where("ts_view_told", "is", null),
    ]);
    if (told.length > 0) announce(ctx, profileId, "standing");
  });
}
