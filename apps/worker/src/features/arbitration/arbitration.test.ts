import { as, type TestMember } from "@lambda/testing/member";
import { uploadPicture } from "@lambda/testing/pictures";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { beforeEach, describe, expect, it } from "vitest";

const DAY = 86_400_000;
const old = { created: Date.now() - 5 * DAY };
const seen = { created: Date.now() - 5 * DAY };

let worker: TestWorker;
beforeEach(async () => {
  worker = await startWorker();
});

async function people(count: number): Promise<TestMember[]> {
  return Promise.all(Array.from({ length: count }, () => as(worker, seen)));
}

async function message(from: TestMember, to: TestMember, text: string): Promise<number> {
  const answer = await from.send("POST", "/api/message", { recipientProfileId: to.id, bodyText: text });
  expect(answer.status).toBe(201);
  return ((await answer.json()) as { id: number }).id;
}

interface Docket {
  cases: { juryId: number; complaints: string[]; evidence: { text: string; author: string }[]; round: number }[];
}

async function seated(members: readonly TestMember[]): Promise<{ member: TestMember; docket: Docket }[]> {
  const dockets = await Promise.all(
    members.map(async (member) => ({ member, docket: await member.get<Docket>("/api/arbitration") })),
  );
  return dockets.filter(({ docket }) => docket.cases.length > 0);
}

async function voteAll(
  jurors: { member: TestMember; docket: Docket }[],
  vote: (index: number) => Record<string, unknown>,
): Promise<void> {
  for (const [index, { member, docket }] of jurors.entries()) {
    const answer = await member.send("POST", `/api/arbitration/${docket.cases[0]!.juryId}/vote`, vote(index));
    expect([201, 404]).toContain(answer.status);
  }
}

const guilty = (sanction: string) => ({ verdict: "violation", sanction, reason: "Threatening tone all through." });
const innocent = { verdict: "no_violation", reason: "Rude, but no rule is broken here." };

describe("arbitration", () => {
  it("goes from report through jury and outcome to appeal and reversal", async () => {
    const subject = await as(worker, { ...old, name: "Brutus" });
    const reporter = await as(worker, { ...old, name: "Casper" });
    const community = await people(14);
    const friend = await as(worker, old);
    await message(friend, subject, "We know each other");
    const id = await message(subject, reporter, "Casper, call me at +1 602 555 0199 or brutus@example.test");

    const filed = await reporter.send("POST", "/api/report", {
      subjectProfileId: subject.id,
      source: "message",
      sourceId: id,
      category: "harassment",
      text: "Brutus will not leave me alone.",
    });
    expect(filed.status).toBe(201);
    const report = (await filed.json()) as { id: number; caseRef: string };

    const first = await seated([...community, friend, subject, reporter]);
    expect(first).toHaveLength(5);
    expect(first.some(({ member }) => [friend.id, subject.id, reporter.id].includes(member.id))).toBe(false);
    const seen = JSON.stringify(first[0]!.docket);
    expect(seen).not.toMatch(/Brutus|Casper|555|example\.test/);

    await voteAll(first, (index) => (index < 3 ? guilty(index === 0 ? "suspend_30" : "suspend_7") : innocent));
    const status = "select status from profile where id = ?";
    expect(await worker.env.DB.prepare(status).bind(subject.id).first()).toEqual({ status: "suspended" });
    expect((await subject.fetch("/api/profiles/mine")).status).toBe(403);
    expect((await reporter.fetch(`/api/profile/${subject.id}`)).status).toBe(404);

    const standing = await subject.get<{
      status: string;
      actions: { reportId: number; caseRef: string; appeal: { allowed: boolean }; evidence: { text: string }[] }[];
    }>("/api/standing");
    expect(standing.status).toBe("suspended");
    expect(standing.actions[0]).toMatchObject({ caseRef: report.caseRef, appeal: { allowed: true } });
    expect(standing.actions[0]!.evidence[0]!.text).toContain("call me");

    // On a sister brand too: he is suspended there as well.
    const harbor = await subject.on("harbor");
    const appeal = await harbor.send("POST", `/api/report/${report.id}/appeal`, {
      text: "It was a joke between us two.",
    });
    expect(appeal.status).toBe(201);
    const again = await subject.send("POST", `/api/report/${report.id}/appeal`, { text: "And once more, please." });
    expect(again.status).toBe(409);

    const second = await seated(community);
    expect(second).toHaveLength(5);
    const before = new Set(first.map(({ member }) => member.id));
    expect(second.some(({ member }) => before.has(member.id))).toBe(false);
    expect(second[0]!.docket.cases[0]).toMatchObject({ round: 2 });
    await voteAll(second, () => innocent);

    expect(await worker.env.DB.prepare(status).bind(subject.id).first()).toEqual({ status: "active" });
    expect((await reporter.fetch(`/api/profile/${subject.id}`)).status).toBe(200);
    const mine = await reporter.get<{ outcome: string; appeal: { allowed: boolean } }[]>("/api/reports/mine");
    expect(mine[0]).toMatchObject({ outcome: "none", appeal: { allowed: true } });
    const totals = await reporter.get<{ reversals: number; appeals: number }>("/api/transparency");
    expect(totals).toMatchObject({ reversals: 1, appeals: 1 });
    const overturned = await worker.env.DB.prepare("select sum(overturned) n from juror_record").first();
    expect(overturned).toEqual({ n: 3 });
    const credits = await worker.env.DB.prepare("select min(credits) low from profile where id = ?")
      .bind(first[0]!.member.id)
      .first();
    expect(credits).toEqual({ low: 3 });
  });

  it("warns where the picture to be hidden was deleted while the jury sat", async () => {
    const subject = await as(worker, old);
    const members = await people(8);
    const picture = await uploadPicture(subject);
    const filed = await members[0]!.send("POST", "/api/report", {
      subjectProfileId: subject.id,
      source: "picture",
      sourceId: picture.id,
      category: "explicit",
    });
    expect(filed.status).toBe(201);
    const jurors = await seated(members);
    expect(jurors).toHaveLength(5);
    expect((await subject.send("DELETE", `/api/profile-pic/${picture.id}`)).status).toBe(204);
    await voteAll(jurors, () => guilty("hide_picture"));
    const action = "select kind, picture_id from moderation_action";
    expect(await worker.env.DB.prepare(action).first()).toEqual({ kind: "warn", picture_id: null });
    expect(await worker.env.DB.prepare("select state from jury").first()).toEqual({ state: "decided" });
  });

  it("keeps threats from juries, and merges reports of the same thing", async () => {
    const subject = await as(worker, old);
    const [one, two] = await people(12);
    const file = (by: TestMember) =>
      by.send("POST", "/api/report", { subjectProfileId: subject.id, category: "threat", text: "He threatened me." });
    expect((await file(one!)).status).toBe(201);
    expect((await file(two!)).status).toBe(201);
    expect((await file(two!)).status).toBe(201);
    const { results } = await worker.env.DB.prepare("select state, filings from report").all();
    expect(results).toEqual([{ state: "staff", filings: 2 }]);
    expect(await worker.env.DB.prepare("select count(*) n from jury").first()).toEqual({ n: 0 });
  });

  it("makes one case of reports that come at once", async () => {
    const subject = await as(worker, old);
    const reporters = await people(5);
    const file = (by: TestMember) =>
      by.send("POST", "/api/report", { subjectProfileId: subject.id, category: "threat", text: "He threatened me." });
    const answers = await Promise.all([...reporters, reporters[0]!].map(file));
    expect(answers.map((answer) => answer.status)).toEqual([201, 201, 201, 201, 201, 201]);
    const { results } = await worker.env.DB.prepare("select filings, round(credibility, 5) c from report").all();
    expect(results).toEqual(
      [{ filings: 5, c: 1 - 0.5 ** 5 }].map(({ filings, c }) => ({ filings, c: Number(c.toFixed(5)) })),
    );
  });

  it("takes a report of a past partner, whatever became of him", async () => {
    const reporter = await as(worker, old);
    for (const status of ["active", "suspended", "banned", "deleted"] as const) {
      const subject = await as(worker, old);
      await message(reporter, subject, "Hello");
      await worker.env.DB.prepare("update profile set status = ? where id = ?").bind(status, subject.id).run();
      const filed = await reporter.send("POST", "/api/report", { subjectProfileId: subject.id, category: "threat" });
      expect([status, filed.status]).toEqual([status, 201]);
    }
  });

  it("answers 409 to the second of two appeals at once", async () => {
    const subject = await as(worker, old);
    const reporter = await as(worker, old);
    const admin = await as(worker, { adminBrand: "ember" });
    const filed = await reporter.send("POST", "/api/report", { subjectProfileId: subject.id, category: "threat" });
    const { id } = (await filed.json()) as { id: number };
    await admin.send("POST", "/api/admin/action", {
      ...{ subjectProfileId: subject.id, kind: "warn", rule: "threat", reason: "A threat", reportId: id },
    });
    const appeal = () => subject.send("POST", `/api/report/${id}/appeal`, { text: "It was a joke between us two." });
    const answers = await Promise.all([appeal(), appeal(), appeal()]);
    expect(answers.map((answer) => answer.status).sort()).toEqual([201, 409, 409]);
  });

  it("gives a silent juror's seat to someone else after a day", async () => {
    const subject = await as(worker, old);
    const members = await people(9);
    await members[0]!.send("POST", "/api/report", { subjectProfileId: subject.id, category: "spam" });
    const before = await seated(members);
    expect(before).toHaveLength(5);
    await worker.schedule("* * * * *", Date.now() + DAY + 60_000);
    const after = await seated(members);
    // Three more were free to be drawn; the other two seats have nobody left.
    expect(after.every(({ member }) => !before.some((juror) => juror.member.id === member.id))).toBe(true);
    expect(after).toHaveLength(3);
  });

  it("decides by the clock what a fault left open after the last vote", async () => {
    const subject = await as(worker, old);
    const members = await people(8);
    await members[0]!.send("POST", "/api/report", { subjectProfileId: subject.id, category: "spam" });
    const jurors = await seated(members);
    await voteAll(jurors.slice(0, 4), (index) => (index < 2 ? guilty("warn") : innocent));
    const db = worker.env.DB;
    const vote =
      "update juror set state = 'voted', verdict = 'violation', sanction = 'warn', reason = 'Spam.', ts_voted = ?";
    await db.prepare(`${vote} where state = 'summoned'`).bind(Date.now()).run();
    await worker.schedule("* * * * *");
    expect(await db.prepare("select state, verdict from jury").first()).toEqual({
      state: "decided",
      verdict: "violation",
    });
    expect(await db.prepare("select kind from moderation_action").first()).toEqual({ kind: "warn" });
  });

  it("answers 404 for a member the reporter never met and cannot see", async () => {
    const hidden = await as(worker, { ...old, hidden: true });
    const reporter = await as(worker, old);
    const answer = await reporter.send("POST", "/api/report", { subjectProfileId: hidden.id, category: "spam" });
    expect(answer.status).toBe(404);
  });

  it("refuses a vote of who was not summoned", async () => {
    const subject = await as(worker, old);
    const members = await people(8);
    await members[0]!.send("POST", "/api/report", { subjectProfileId: subject.id, category: "spam" });
    const jurors = await seated(members);
    const juryId = jurors[0]!.docket.cases[0]!.juryId;
    const answer = await subject.send("POST", `/api/arbitration/${juryId}/vote`, innocent);
    expect(answer.status).toBe(404);
  });
});
