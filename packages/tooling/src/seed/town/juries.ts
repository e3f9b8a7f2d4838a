import { DAY_MS } from "@lambda/contract/limits";
import type { Message } from "@lambda/contract/messages";
import type { FiledReport } from "@lambda/contract/reports";
import type { SiteCalls } from "../site-calls.ts";
import { JURY_STORIES, type JuryStory, OPEN_STORY } from "./cases.ts";
import { LOGINS } from "./cast.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Of nine seats so many are used, as a rule; the others fall empty after a day. */
export const VOTES = 6;
const EVERY_MINUTE = "* * * * *";

/** The two sides of a case. */
export interface Sides {
  readonly subject: number;
  readonly reporter: number;
}

type Complaint = Pick<JuryStory, "rule" | "wrote" | "complaint">;

/** Files a report, after what it is about was written; the worker seats the jury. */
export async function report(site: SiteCalls, sides: Sides, at: number, told: Complaint): Promise<FiledReport> {
  const { subject, reporter } = sides;
  const { rule, wrote, complaint } = told;
  let source = {};
  if (wrote) {
    const toReporter = wrote.to === "reporter";
    const { id } = await site.as<Message>(subject, at - HOUR_MS, {
      method: "POST",
      path: "/api/message",
      body: { bodyText: wrote.text, ...(toReporter && { recipientProfileId: reporter }) },
    });
    source = { source: toReporter ? "message" : "broadcast", sourceId: id };
  }
  return site.as<FiledReport>(reporter, at, {
    method: "POST",
    path: "/api/report",
    body: { subjectProfileId: subject, category: rule, text: complaint, ...source },
  });
}

interface Seat {
  readonly juror: number;
  readonly jury: number;
}

/** Who was drawn, the demo member first: the draw is random, what the jurors say here is not. */
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
  await site.as(juror, at, { method: "POST", path: `/api/arbitration/${jury}/vote`, body: ballot });
}

/** Short words of those who say no more than that they agree. */
const GUILTY_TOO = [
  "The rule fits here.",
  "Clear after reading it twice.",
  "I find it proven.",
  "Yes, this breaks the rule.",
  "No doubt for me.",
  "A violation, and he could have known.",
];
const INNOCENT_TOO = [
  "No rule is broken here.",
  "Not enough for a violation.",
  "Benefit of the doubt.",
  "I would let it rest.",
];

/** Juries of the last weeks, on all of which the demo member sat. Answers the reports, in the order of the stories. */
export async function judgeEarlierCases(site: SiteCalls, sides: readonly Sides[], now: number): Promise<FiledReport[]> {
  const reports: FiledReport[] = [];
  for (const [index, story] of JURY_STORIES.entries()) {
    const at = now - story.daysAgo * DAY_MS;
    const filed = await report(site, sides[index] as Sides, at, story);
    reports.push(filed);
    const [member, ...others] = (await listSeats(site, filed.id)) as [Seat, ...Seat[]];
    const used = others.slice(0, VOTES - 1);
    const seats = story.memberFinds === "guilty" ? [member, ...used] : [...used, member];
    for (const [turn, seat] of seats.entries()) {
      await vote(site, seat, at + (turn + 1) * HOUR_MS, ballotOf(story, turn, index));
    }
    await site.schedule(EVERY_MINUTE, at + DAY_MS + MINUTE_MS);
  }
  return reports;
}

function ballotOf(story: JuryStory, turn: number, index: number): object {
  const found = turn < story.guilty;
  const [own, short] = found ? [story.reasonsGuilty, GUILTY_TOO] : [story.reasonsInnocent, INNOCENT_TOO];
  const at = found ? turn : turn - story.guilty;
  // Not the same words on each jury.
  const reason = own[at] ?? short[(at + index * 3) % short.length];
  return found ? { verdict: "violation", sanction: story.sanction, reason } : { verdict: "no_violation", reason };
}

/** Today's case: it waits for the demo member, and four of the others have voted. */
export async function openTodaysCase(site: SiteCalls, sides: Sides, now: number): Promise<void> {
  const at = now - 2 * HOUR_MS;
  const filed = await report(site, sides, at, OPEN_STORY);
  const [, ...others] = await listSeats(site, filed.id);
  for (const [turn, { verdict, reason }] of OPEN_STORY.votes.entries()) {
    const ballot = { verdict, reason, ...(verdict === "violation" && { sanction: "warn" }) };
    await vote(site, others[turn] as Seat, at + (turn + 1) * 20 * MINUTE_MS, ballot);
  }
}
