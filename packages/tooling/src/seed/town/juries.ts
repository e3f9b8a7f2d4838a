import { DAY_MS, HOUR_MS, MINUTE_MS } from "@lambda/contract/limits";
import type { Message } from "@lambda/contract/messages";
import type { FiledReport } from "@lambda/contract/reports";
import type { SiteCalls } from "../site-calls.ts";
import cases from "./cases.json" with { type: "json" };
import { LOGINS } from "./cast.ts";

/** How many jurors vote, of nine seats; the others let the deadline pass. */
export const VOTES = 6;
const EVERY_MINUTE = "* * * * *";

/** The profile ids of the two sides of a case. */
export interface Sides {
  readonly subject: number;
  readonly reporter: number;
}

interface Complaint {
  readonly rule: string;
  /** What the reported member wrote to the reporter or in the map chat. Absent: the profile was reported. */
  readonly wrote?: { readonly to: string; readonly text: string };
  readonly complaint: string;
}

/**
 * Eight days apart, because nobody is summoned twice within a week. `guilty` of the six voting jurors found a violation; the reasons of
 * the majority become the precedent.
 */
export const JURY_STORIES = cases.juries;
/** Writes the offending message, if any, and files a report about it; the worker draws the jury. */
export async function report(site: SiteCalls, sides: Sides, at: number, details: Complaint): Promise<FiledReport> {
  const { subject, reporter } = sides;
  const { rule, wrote, complaint } = details;
  let source = {};
  if (wrote) {
    const toReporter = wrote.to === "reporter";
    const { id } = await site.callAs<Message>(subject, at - HOUR_MS, {
      method: "POST",
      path: "/api/message",
      body: { bodyText: wrote.text, ...(toReporter && { recipientProfileId: reporter }) },
    });
    source = { source: toReporter ? "message" : "broadcast", sourceId: id };
  }
  return site.callAs<FiledReport>(reporter, at, {
    method: "POST",
    path: "/api/report",
    body: { subjectProfileId: subject, category: rule, text: complaint, ...source },
  });
}

interface Seat {
  readonly juror: number;
  readonly jury: number;
}

/** The drawn jurors, demo member first. The draw is random, but their votes here are scripted. */
async function listSeats(site: SiteCalls, reportId: number): Promise<Seat[]> {
  const [rows = []] = await site.run({
    query: `select r.profile_id as juror, j.id as jury from juror r join jury j on j.id = r.jury_id
      where j.report_id = ? and r.state = 'summoned' order by r.profile_id`,
    values: [reportId],
  });
  const seats = rows as unknown as Seat[];
  if (seats[0]?.juror !== LOGINS.member) throw new Error(`the demo member has no seat on the jury of case ${reportId}`);
  return seats;
}

async function vote(site: SiteCalls, { juror, jury }: Seat, at: number, ballot: object): Promise<void> {
  await site.callAs(juror, at, { method: "POST", path: `/api/arbitration/${jury}/vote`, body: ballot });
}

const GENERIC_GUILTY = [
  "The rule fits here.",
  "Clear after reading it twice.",
  "I find it proven.",
  "Yes, this breaks the rule.",
  "No doubt for me.",
  "A violation, and he could have known.",
];
const GENERIC_INNOCENT = [
  "No rule is broken here.",
  "Not enough for a violation.",
  "Benefit of the doubt.",
  "I would let it rest.",
];

/** Past juries, all including the demo member. Returns the reports in the order of the stories. */
export async function judgeEarlierCases(site: SiteCalls, sides: readonly Sides[], now: number): Promise<FiledReport[]> {
  const reports: FiledReport[] = [];
  for (const [index, story] of JURY_STORIES.entries()) {
    const at = now - story.daysAgo * DAY_MS;
    const filed = await report(site, sides[index] as Sides, at, story);
    reports.push(filed);
    const seats = (await listSeats(site, filed.id)).slice(0, VOTES);
    for (const [seatIndex, seat] of seats.entries()) {
      await vote(site, seat, at + (seatIndex + 1) * HOUR_MS, ballotOf(story, seatIndex, index));
    }
    await site.runCron(EVERY_MINUTE, at + DAY_MS + MINUTE_MS);
  }
  return reports;
}

function ballotOf(story: (typeof JURY_STORIES)[number], seatIndex: number, storyIndex: number): object {
  const isGuilty = seatIndex < story.guilty;
  const [reasons, generic] = isGuilty
    ? [story.reasonsGuilty, GENERIC_GUILTY]
    : [story.reasonsInnocent, GENERIC_INNOCENT];
  const index = isGuilty ? seatIndex : seatIndex - story.guilty;
  // Varies the generic reasons between juries.
  const reason = reasons[index] ?? generic[(index + storyIndex * 3) % generic.length];
  return isGuilty ? { verdict: "violation", sanction: story.sanction, reason } : { verdict: "no_violation", reason };
}

/** Today's case, which awaits the demo member's vote; four others have voted. */
export async function openTodaysCase(site: SiteCalls, sides: Sides, now: number): Promise<void> {
  const at = now - 2 * HOUR_MS;
  const filed = await report(site, sides, at, cases.open);
  const [, ...others] = await listSeats(site, filed.id);
  for (const [index, { verdict, reason }] of cases.open.votes.entries()) {
    const ballot = { verdict, reason, ...(verdict === "violation" && { sanction: "warn" }) };
    await vote(site, others[index] as Seat, at + (index + 1) * 20 * MINUTE_MS, ballot);
  }
}
