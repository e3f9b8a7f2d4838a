import type { NotificationKind } from "@lambda/contract/notifications";
import { inEachLocale } from "../../platform/copy.ts";
import type { Compiled } from "../../platform/db/batch.ts";
import { insertNotificationQuery, type NotifyContext } from "../../social/notifications/notify.ts";
import { moderationCopy } from "../action/copy.ts";
import type { Effect, Notice } from "../case/case.ts";
import type { CaseHead } from "./find-case.ts";

export interface Notified {
  readonly profileId: number;
  readonly kind: NotificationKind;
}

/** The notices to one side of a case. */
export async function notifyParties(
  ctx: NotifyContext,
  found: CaseHead,
  { to, notice }: Extract<Effect, { type: "notify" }>,
): Promise<{ queries: Compiled[]; notified: Notified[] }> {
  const kind = notice.type === "reportDecided" || notice.type === "cleared" ? "report" : "appeal";
  const url = to === "subject" ? "/games/dungeon" : "/games/arbitration?tab=mine";
  const recipients = to === "subject" ? [found.subjectId] : await listReporters(ctx, found.id);
  const bodyText = textOf(notice);
  return {
    queries: recipients.map((profileId) => insertNotificationQuery(ctx, { profileId, kind, bodyText, url })),
    notified: recipients.map((profileId) => ({ profileId, kind })),
  };
}

function textOf(notice: Notice) {
  return inEachLocale(moderationCopy, (text) => {
    switch (notice.type) {
      case "reportDecided":
        return text.reportDecided(notice.acted);
      case "appealDecided":
        return text.appealDecided(notice.reversed);
      default:
        return text[notice.type];
    }
  });
}

async function listReporters({ db }: NotifyContext, reportId: number): Promise<number[]> {
  const filings = await db
    .selectFrom("report_filing")
    .select("reporter_id")
    .where("report_id", "=", reportId)
    .where("reporter_id", "is not", null)
    .execute();
  return filings.flatMap(({ reporter_id: id }) => (id === null ? [] : [id]));
}
