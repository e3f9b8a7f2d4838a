import { DAY_MS, HOUR_MS } from "@lambda/contract/limits";
import type { FiledReport } from "@lambda/contract/reports";
import type { SiteCalls } from "../site-calls.ts";
import { APPEALS, LETTERS, STAFF_ACTIONS, STAFF_STORIES } from "./cases.ts";
import { idOf, LOGINS } from "./cast.ts";
import { report, type Sides } from "./juries.ts";

/** The admin's past actions, and what awaits them: two cases, a jury's recommendation, an appeal, two contact messages. */
export async function playStaff(site: SiteCalls, { divided, sides }: StaffScene, now: number): Promise<void> {
  await decideDivided(site, divided, now);
  await suspendForThreat(site, sides[0] as Sides, now);
  await ban(site, (sides[1] as Sides).subject, now);
  await dismiss(site, sides[2] as Sides, now);
  await report(site, sides[3] as Sides, now - 26 * HOUR_MS, {
    rule: "intimate",
    complaint: STAFF_STORIES.privatePictures.complaint,
  });
  await report(site, sides[4] as Sides, now - 5 * HOUR_MS, {
    rule: "threat",
    wrote: { to: "reporter", text: STAFF_STORIES.threat.text },
    complaint: STAFF_STORIES.threat.complaint,
  });
  for (const [index, { path, body }] of LETTERS.entries()) {
    const sender = index === 0 ? idOf("gus") : idOf("ken");
    await site.callAs(sender, now - (20 - 9 * index) * HOUR_MS, { method: "POST", path, body });
  }
}

export interface StaffScene {
  /** The case that a jury could not decide sixteen days ago. */
  readonly divided: Sides & Pick<FiledReport, "id">;
  /** The two sides of each case that goes directly to staff. */
  readonly sides: readonly Sides[];
}

const act = (site: SiteCalls, at: number, body: object) =>
  site.callAs<{ id: number }>(LOGINS.admin, at, { method: "POST", path: "/api/admin/action", body });

const appeal = (site: SiteCalls, by: number, at: number, reportId: number, text: string) =>
  site.callAs(by, at, { method: "POST", path: `/api/report/${reportId}/appeal`, body: { text } });

/** After a divided jury, staff warn the member, who appeals; as no other jury can be drawn, staff reverse the warning. */
async function decideDivided(site: SiteCalls, { id, subject }: StaffScene["divided"], now: number): Promise<void> {
  const reason = STAFF_ACTIONS.warn;
  const draft = { subjectProfileId: subject, kind: "warn", rule: "impersonation", reason, reportId: id };
  await act(site, now - 15 * DAY_MS, draft);
  await appeal(site, subject, now - 14 * DAY_MS, id, APPEALS.reversed);
  await site.callAs(LOGINS.admin, now - 13 * DAY_MS, {
    method: "POST",
    path: `/api/admin/report/${id}/appeal`,
    body: { reversed: true },
  });
}

async function suspendForThreat(site: SiteCalls, sides: Sides, now: number): Promise<void> {
  const { id } = await report(site, sides, now - 3 * DAY_MS, { rule: "threat", complaint: STAFF_ACTIONS.suspend });
  await act(site, now - 3 * DAY_MS + 2 * HOUR_MS, {
    subjectProfileId: sides.subject,
    kind: "suspend",
    rule: "threat",
    reason: STAFF_ACTIONS.suspend,
    days: 14,
    reportId: id,
  });
  await appeal(site, sides.subject, now - DAY_MS, id, APPEALS.waiting);
}

async function ban(site: SiteCalls, subjectProfileId: number, now: number): Promise<void> {
  await act(site, now - 10 * DAY_MS, { subjectProfileId, kind: "ban", rule: "scam", reason: STAFF_ACTIONS.ban });
}

async function dismiss(site: SiteCalls, sides: Sides, now: number): Promise<void> {
  const { complaint, answer } = STAFF_STORIES.dismissed;
  const { id } = await report(site, sides, now - 5 * DAY_MS, { rule: "intimate", complaint });
  await site.callAs(LOGINS.admin, now - 5 * DAY_MS + 7 * HOUR_MS, {
    method: "POST",
    path: `/api/admin/report/${id}/dismiss`,
    body: { reason: answer },
  });
}
