/** A case that a jury judges, from the report to the last appeal. */
import { DAY_MS } from "@lambda/contract/limits";
import { castVotes, guilty, innocent, listSummonedJurors } from "@lambda/testing/juries";
import { createJuryPool } from "@lambda/testing/jury-pool";
import { createMember, type TestMember } from "@lambda/testing/member";
import { uploadPicture } from "@lambda/testing/pictures";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { beforeEach, describe, expect, it } from "vitest";

let worker: TestWorker;
beforeEach(async () => {
  worker = await startWorker();
});

async function message(from: TestMember, to: TestMember, text: string): Promise<number> {
  const response = await from.send("POST", "/api/message", { recipientProfileId: to.id, bodyText: text });
  expect(response.status).toBe(201);
  return ((await response.json()) as { id: number }).id;
}

interface JuryInbox {
  cases: {
    juryId: number;
    complaints: string[];
    evidence: { text: string; author: string }[];
    omitted: number;
    round: number;
  }[];
}

async function scene() {
  await createJuryPool(worker.run);
  const subject = await createMember(worker, { name: "Brutus" });
  const reporter = await createMember(worker, { name: "Casper" });
  return { subject, reporter };
}

const file = (by: TestMember, subject: TestMember, category = "harassment", more: object = {}) =>
  by.send("POST", "/api/report", { subjectProfileId: subject.id, category, ...more });

const first = async <Row>(sql: string, ...values: unknown[]) =>
  worker.env.DB.prepare(sql)
    .bind(...values)
    .first<Row>();

describe("arbitration", () => {
  it("goes from a report to a jury's decision, an appeal and a reversal", async () => {
    const { subject, reporter } = await scene();
    await worker.run({
      query: "update profile set height = 'too tall for your kind' where id = ?",
      values: [subject.id],
    });
    const id = await message(subject, reporter, "Casper, call me at +1 602 555 0199 or brutus@example.test");
    const filed = await file(reporter, subject, "harassment", {
      source: "message",
      sourceId: id,
      text: "Brutus will not leave me alone.",
    });
    expect(filed.status).toBe(201);
    const report = (await filed.json()) as { id: number };

    const seats = await listSummonedJurors(worker);
    expect(seats).toHaveLength(9);
    const inbox = await seats[0]!.juror.get<JuryInbox>("/api/arbitration");
    expect(inbox.cases[0]!.evidence.map((item) => item.text).join()).toContain("call me");
    expect(inbox.cases[0]!.evidence.map((item) => item.text).join()).toContain("Height: too tall for your kind");
    expect(JSON.stringify(inbox)).not.toMatch(/Brutus|Casper|\b(602|555|0199)\b|example\.test/);

    await castVotes(seats, (index) => (index < 7 ? guilty(index === 0 ? "suspend_30" : "suspend_3") : innocent));
    expect(await first("select status from profile where id = ?", subject.id)).toEqual({ status: "suspended" });
    expect((await subject.fetch("/api/profiles/mine")).status).toBe(403);
    expect((await reporter.fetch(`/api/profile/${subject.id}`)).status).toBe(404);

    const ownRecord = await subject.get<{ status: string; actions: { appeal: object }[] }>("/api/standing");
    expect(ownRecord.status).toBe("suspended");
    expect(ownRecord.actions[0]).toMatchObject({ reportId: report.id, appeal: { allowed: true } });

    // The suspension applies on a sister brand too, and the appeal can be filed there.
    const harbor = await subject.onBrand("harbor");
    const appeal = await harbor.send("POST", `/api/report/${report.id}/appeal`, { text: "It was a joke between us." });
    expect(appeal.status).toBe(201);
    const again = await subject.send("POST", `/api/report/${report.id}/appeal`, { text: "And once more, please." });
    expect(again.status).toBe(409);

    const second = await listSummonedJurors(worker);
    expect(second).toHaveLength(9);
    const before = new Set(seats.map(({ juror }) => juror.id));
    expect(second.some(({ juror }) => before.has(juror.id))).toBe(false);
    expect((await second[0]!.juror.get<JuryInbox>("/api/arbitration")).cases[0]).toMatchObject({ round: 2 });
    await castVotes(second, () => innocent);

    expect(await first("select status from profile where id = ?", subject.id)).toEqual({ status: "active" });
    expect((await reporter.fetch(`/api/profile/${subject.id}`)).status).toBe(200);
    const mine = await reporter.get<{ outcome: string; appeal: { allowed: boolean } }[]>("/api/reports/mine");
    expect(mine[0]).toMatchObject({ outcome: "none", appeal: { allowed: true } });
    expect(await reporter.get("/api/transparency")).toMatchObject({ reversals: 1, appeals: 1 });
    expect(await first("select sum(overturned) n from juror_record")).toEqual({ n: 7 });
    expect(await first("select min(credits) low from profile where id = ?", seats[0]!.juror.id)).toEqual({ low: 3 });
  });

  it("leaves a case to staff if the jury disagrees or too few jurors vote", async () => {
    const { subject, reporter } = await scene();
    await file(reporter, subject);
    const seats = await listSummonedJurors(worker);
    await castVotes(seats, (index) => (index < 5 ? guilty("warn") : innocent));
    expect(await first("select state, staff_reason from report")).toEqual({
      state: "staff",
      staff_reason: "undecided",
    });
    expect(await first("select count(*) n from moderation_action")).toEqual({ n: 0 });
    expect(await first("select sum(amount) n from credit_entry where reason = 'jury'")).toEqual({ n: 27 });

    const other = await createMember(worker);
    await file(reporter, other, "hate");
    await castVotes((await listSummonedJurors(worker)).slice(0, 4), () => guilty("warn"));
    await worker.runCron("* * * * *", Date.now() + DAY_MS + 60_000);
    expect(await first("select state, staff_reason from report where subject_id = ?", other.id)).toEqual({
      state: "staff",
      staff_reason: "undecided",
    });
  });

  it("recommends a long suspension to staff, who must confirm it before it takes effect", async () => {
    const { subject, reporter } = await scene();
    const admin = await createMember(worker, { adminBrand: "ember" });
    const { id } = (await (await file(reporter, subject)).json()) as { id: number };
    await castVotes(await listSummonedJurors(worker), () => guilty("suspend_30"));
    expect(await first("select status from profile where id = ?", subject.id)).toEqual({ status: "active" });
    expect(await subject.get("/api/standing")).toMatchObject({ status: "active", actions: [] });
    expect(await admin.get("/api/admin/reports")).toMatchObject([
      { id, staffReason: "recommended", recommended: "suspend_30" },
    ]);
    expect(await admin.get(`/api/admin/report/${id}`)).toMatchObject({
      juries: [{ verdict: "violation", sanction: "suspend_30", votes: 9 }],
    });
    const confirmed = await admin.send("POST", "/api/admin/action", {
      subjectProfileId: subject.id,
      kind: "suspend",
      days: 30,
      rule: "harassment",
      reason: "As the jury found",
      reportId: id,
    });
    expect(confirmed.status).toBe(201);
    expect(await subject.get("/api/standing")).toMatchObject({ status: "suspended" });
    expect(await admin.get(`/api/admin/report/${id}`)).toMatchObject({ state: "decided", recommended: null });
  });

  it("does not refill a seat whose juror stays silent or steps back", async () => {
    const { subject, reporter } = await scene();
    await file(reporter, subject, "spam");
    const seats = await listSummonedJurors(worker);
    const [leaving, ...others] = seats;
    const recused = await leaving!.juror.send("POST", `/api/arbitration/${leaving!.juryId}/recuse`);
    expect(recused.status).toBe(204);
    await castVotes(others.slice(0, 6), () => innocent);
    expect(await first("select count(*) n from juror")).toEqual({ n: 9 });
    expect(await first("select state from report")).toEqual({ state: "jury" });
    await worker.runCron("* * * * *", Date.now() + DAY_MS + 60_000);
    expect(await first("select count(*) n from juror")).toEqual({ n: 9 });
    expect(await first("select state, outcome from report")).toEqual({ state: "decided", outcome: "none" });
  });

  it("leaves a case to staff if its picture is deleted while the jury votes", async () => {
    const { subject, reporter } = await scene();
    const picture = await uploadPicture(subject);
    const filed = await file(reporter, subject, "explicit", { source: "picture", sourceId: picture.id });
    expect(filed.status).toBe(201);
    const seats = await listSummonedJurors(worker);
    expect(seats).toHaveLength(9);
    expect((await subject.send("DELETE", `/api/profile-pic/${picture.id}`)).status).toBe(204);
    await castVotes(seats, () => guilty("hide_picture"));
    expect(await first("select count(*) n from moderation_action")).toEqual({ n: 0 });
    expect(await first("select state, staff_reason from report")).toEqual({
      state: "staff",
      staff_reason: "withdrawn",
    });
    expect(await first("select state from jury")).toEqual({ state: "decided" });
  });

  it("keeps threats from juries, and merges reports of the same member", async () => {
    await createJuryPool(worker.run);
    const [subject, one, two] = await Promise.all([createMember(worker), createMember(worker), createMember(worker)]);
    for (const by of [one, two, two]) {
      expect((await file(by, subject, "threat", { text: "I was threatened." })).status).toBe(201);
    }
    expect(await first("select state, staff_reason, filings from report")).toEqual({
      state: "staff",
      staff_reason: "rule",
      filings: 2,
    });
    expect(await first("select count(*) n from jury")).toEqual({ n: 0 });
  });

  it("opens one case for concurrent reports of the same member", async () => {
    const subject = await createMember(worker);
    const reporters = await Promise.all([1, 2, 3, 4, 5].map(() => createMember(worker)));
    const responses = await Promise.all([...reporters, reporters[0]!].map((by) => file(by, subject, "threat")));
    expect(responses.map((response) => response.status)).toEqual([201, 201, 201, 201, 201, 201]);
    const { results } = await worker.env.DB.prepare("select filings, round(credibility, 5) c from report").all();
    expect(results).toEqual([{ filings: 5, c: Number((1 - 0.5 ** 5).toFixed(5)) }]);
  });

  it("accepts a report about a past conversation partner, whatever their status", async () => {
    const reporter = await createMember(worker);
    for (const status of ["active", "suspended", "banned", "deleted"] as const) {
      const subject = await createMember(worker);
      await message(reporter, subject, "Hello");
      await worker.env.DB.prepare("update profile set status = ? where id = ?").bind(status, subject.id).run();
      expect([status, (await file(reporter, subject, "threat")).status]).toEqual([status, 201]);
    }
  });

  it("accepts one of several concurrent appeals and rejects the others with 409", async () => {
    const [subject, reporter, admin] = await Promise.all([
      createMember(worker),
      createMember(worker),
      createMember(worker, { adminBrand: "ember" }),
    ]);
    const { id } = (await (await file(reporter, subject, "threat")).json()) as { id: number };
    await admin.send("POST", "/api/admin/action", {
      subjectProfileId: subject.id,
      kind: "warn",
      rule: "threat",
      reason: "A threat",
      reportId: id,
    });
    const appeal = () => subject.send("POST", `/api/report/${id}/appeal`, { text: "It was a joke between us two." });
    const responses = await Promise.all([appeal(), appeal(), appeal()]);
    expect(responses.map((response) => response.status).sort()).toEqual([201, 409, 409]);
  });

  it("closes a jury by the scheduled job if a failure left it open after the last vote", async () => {
    const { subject, reporter } = await scene();
    await file(reporter, subject, "spam");
    await castVotes((await listSummonedJurors(worker)).slice(0, 8), (index) => (index < 7 ? guilty("warn") : innocent));
    const vote =
      "update juror set state = 'voted', verdict = 'violation', sanction = 'warn', reason = 'Spam.', ts_voted = ?";
    await worker.env.DB.prepare(`${vote} where state = 'summoned'`).bind(Date.now()).run();
    await worker.runCron("* * * * *");
    expect(await first("select state, verdict from jury")).toEqual({ state: "decided", verdict: "violation" });
    expect(await first("select kind from moderation_action")).toEqual({ kind: "warn" });
  });

  it("answers 404 for a member whom the reporter never met and cannot see", async () => {
    const hidden = await createMember(worker, { hidden: true });
    const reporter = await createMember(worker);
    expect((await file(reporter, hidden, "spam")).status).toBe(404);
  });

  it("shows jurors and staff something of every reporter, however much one of them adds", async () => {
    const { subject, reporter: victim } = await scene();
    const accomplice = await createMember(worker, { name: "Quentin" });
    const admin = await createMember(worker, { adminBrand: "ember", hidden: true });
    await worker.run({
      query: `insert into message (sender_id, recipient_id, low_id, high_id, client_id, body_text, brand, ts_created)
        with recursive n(i) as (select 1 union all select i + 1 from n where i < 220)
        select ?1, ?2, min(?1, ?2), max(?1, ?2), 'd' || i, 'Nice day, Quentin', 'ember', i from n`,
      values: [subject.id, accomplice.id],
    });
    const [rows] = await worker.run({ query: "select id from message order by id" });
    const decoys = (rows as { id: number }[]).map(({ id }) => id);
    for (let from = 0; from < decoys.length; from += 20) {
      const messageIds = decoys.slice(from, from + 20);
      expect((await file(accomplice, subject, "harassment", { messageIds })).status).toBe(201);
    }
    for (let count = 0; count < 10; count += 1) {
      const friend = await createMember(worker);
      expect((await file(friend, subject, "harassment", { text: "A bit rude." })).status).toBe(201);
    }
    const id = await message(subject, victim, "Casper, I know where you live");
    await file(victim, subject, "harassment", { text: "I am afraid.", messageIds: [id] });

    const [seat] = await listSummonedJurors(worker);
    const [shown] = (await seat!.juror.get<JuryInbox>("/api/arbitration")).cases;
    expect(shown!.evidence).toHaveLength(60);
    expect(shown!.evidence.map(({ text }) => text).join()).toContain("I know where you live");
    expect(shown!.complaints).toContain("I am afraid.");
    // The accomplice wrote no complaint, and is not named either.
    expect(JSON.stringify(shown)).not.toMatch(/Quentin|Casper/);
    expect(shown!.omitted).toBe(220 + 2 - 60);
    const { id: reportId } = (await first<{ id: number }>("select id from report"))!;
    const kept = await admin.get<{ evidence: { text: string }[]; omitted: number }>(`/api/admin/report/${reportId}`);
    expect(kept.evidence.map(({ text }) => text)).toContain("Casper, I know where you live");
    expect(kept).toMatchObject({ omitted: 22 });
  });

  it("rejects a vote by a member who was not summoned", async () => {
    const { subject, reporter } = await scene();
    await file(reporter, subject, "spam");
    const [seat] = await listSummonedJurors(worker);
    const response = await subject.send("POST", `/api/arbitration/${seat!.juryId}/vote`, innocent);
    expect(response.status).toBe(404);
  });
});
