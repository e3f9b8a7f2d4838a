import type { NotificationKind } from "@lambda/contract/notifications";
import { insertNotificationQuery, type NotifyContext } from "../../notifications/notify.ts";
import { inEachLocale } from "../../platform/copy.ts";
import type { Query } from "../../platform/db/database.ts";
import { moderationCopy } from "../action/copy.ts";
import type { CaseNotification, Effect } from "../case/case.ts";
import type { CaseHeader } from "./find-case.ts";

export interface NotifiedMember {
  readonly profileId: number;
  readonly kind: NotificationKind;
}

/** Prepares the notifications to one side of a case. */
export async function notifyParties(
  ctx: NotifyContext,
  found: CaseHeader,
  { to, notification }: Extract<Effect, { type: "notify" }>,
): Promise<{ queries: Query[]; notified: NotifiedMember[] }> {
  const kind = notification.type === "reportDecided" || notification.type === "cleared" ? "report" : "appeal";
  const url = to === "subject" ? "/games/dungeon" : "/games/arbitration?tab=mine";
  const recipients = to === "subject" ? [found.subjectId] : await listReporters(ctx, found.id);
  const bodyText = textOf(notification);
  return {
    queries: recipients.map((profileId) => insertNotificationQuery(ctx, { profileId, kind, bodyText, url })),
    notified: recipients.map((profileId) => ({ profileId, kind })),
  };
}

function textOf(notification: CaseNotification) {
  return inEachLocale(moderationCopy, (text) => {
    switch (notification.type) {
      case "reportDecided":
        return text.reportDecided(notification.acted);
      case "appealDecided":
        return text.appealDecided(notification.reversed);
      default:
        return text[notification.type];
    }
  });
}

async function listReporters({ db }: NotifyContext, reportId: CaseHeader["id"]): Promise<number[]> {
  const filings = await db
    .selectFrom("report_filing")
    .select("reporter_id")
    .where("report_id", "=", reportId)
    .where("reporter_id", "is not", null)
    .execute();
  return filings.flatMap(({ reporter_id: id }) => (id === null ? [] : [id]));
}
