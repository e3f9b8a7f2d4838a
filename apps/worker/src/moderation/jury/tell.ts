/** Notices to the sides of a case. Each adds who is told to `told`, to be announced after the batch. */
import type { Compiled } from "../../platform/db/batch.ts";
import { insertNotificationQuery, type NotifyContext } from "../../social/notifications/notify.ts";
import { NOTICES } from "../action/notices.ts";

/** To all who filed the report. */
export async function tellReporters(
  ctx: NotifyContext,
  reportId: number,
  bodyText: { en: string; es: string },
  kind: "report" | "appeal",
  told: number[],
): Promise<Compiled[]> {
  const filings = await ctx.db
    .selectFrom("report_filing")
    .select("reporter_id")
    .where("report_id", "=", reportId)
    .where("reporter_id", "is not", null)
    .execute();
  return filings.flatMap(({ reporter_id: profileId }) => {
    if (profileId === null) return [];
    told.push(profileId);
    return [insertNotificationQuery(ctx, { profileId, kind, bodyText, url: "/games/arbitration?tab=mine" })];
  });
}

/** To both sides: each was told that there is an appeal. */
export async function tellAppealDecided(
  ctx: NotifyContext,
  reportId: number,
  subjectId: number,
  reversed: boolean,
  told: number[],
): Promise<Compiled[]> {
  const bodyText = NOTICES.appealDecided(reversed);
  told.push(subjectId);
  return [
    insertNotificationQuery(ctx, { profileId: subjectId, kind: "appeal", bodyText, url: "/games/dungeon" }),
    ...(await tellReporters(ctx, reportId, bodyText, "appeal", told)),
  ];
}
