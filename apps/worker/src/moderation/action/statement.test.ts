/** Statements of reasons: they have every part that the law requires, in both languages, and name nobody. */
import { APPEAL_WINDOW_MS } from "@lambda/contract/limits";
import type { OwnRecord } from "@lambda/contract/moderation";
import type { FiledReport } from "@lambda/contract/reports";
import { reporterStatementParts, statementParts } from "@lambda/contract/statement";
import { createMember, type TestMember } from "@lambda/testing/member";
import { waitForMail } from "@lambda/testing/visitor";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { beforeEach, expect, it } from "vitest";

let worker: TestWorker;
let admin: TestMember;
beforeEach(async () => {
  worker = await startWorker();
  admin = await createMember(worker, { adminBrand: "ember" });
});

async function report(subject: TestMember) {
  const reporter = await createMember(worker);
  const draft = { subjectProfileId: subject.id, category: "threat", source: "profile", text: "He threatens" };
  const { id } = (await (await reporter.send("POST", "/api/report", draft)).json()) as { id: number };
  return { reporter, id };
}

it("reaches a banned member by mail and in their own record, with facts, ground, automated means and redress", async () => {
  const subject = await createMember(worker, { email: "banned@example.test" });
  await worker.env.DB.prepare("update account set locale = 'es' where id = ?").bind(subject.id).run();
  const { reporter, id } = await report(subject);
  const reason = "Amenazas <b>graves</b>";
  const action = { subjectProfileId: subject.id, kind: "ban", rule: "threat", reason, reportId: id };
  // Nobody is banned without it.
  await worker.env.DB.exec(
    "create trigger broken before insert on mail_queue begin select raise(abort, 'broken'); end",
  );
  expect((await admin.send("POST", "/api/admin/action", action)).status).toBe(500);
  await worker.env.DB.exec("drop trigger broken");
  expect((await admin.send("POST", "/api/admin/action", action)).status).toBe(201);
  const { subject: title, text } = await waitForMail(worker, subject.email);
  expect(title).toBe("Una decisión sobre tu cuenta de Ember");
  for (const words of [
    "Decisión",
    "Hechos",
    "Alguien lo denunció",
    reason,
    "Medios automatizados",
    "Fundamento",
    "Amenaza de violencia",
    "ilegal",
    "Apelar una vez",
    "tribunales",
    "extrajudicial",
    "https://ember.example/games/dungeon",
  ]) {
    expect(text).toContain(words);
  }
  expect(text).not.toContain(String(reporter.id));
  const [own] = (await subject.get<OwnRecord>("/api/standing")).actions;
  expect(own).toMatchObject({ detection: "notice", byJury: false });
  const decided = await worker.env.DB.prepare("select ts_decided from report").first<number>("ts_decided");
  expect(Date.parse(own!.tsAppealUntil!)).toBe(decided! + APPEAL_WINDOW_MS);
  const [mine] = await reporter.get<FiledReport[]>("/api/reports/mine");
  expect([mine!.outcome, mine!.tsAppealUntil]).toEqual(["ban", null]);
});

it("says when nobody reported the member, and tells a reporter whose report was dismissed until when they can appeal", async () => {
  const subject = await createMember(worker);
  const warning = { subjectProfileId: subject.id, kind: "warn", rule: "spam", reason: "The same text to many" };
  expect((await admin.send("POST", "/api/admin/action", warning)).status).toBe(201);
  expect((await subject.get<OwnRecord>("/api/standing")).actions).toMatchObject([{ detection: "own" }]);
  const { reporter, id } = await report(subject);
  await admin.send("POST", `/api/admin/report/${id}/dismiss`, { reason: "A joke" });
  const [mine] = await reporter.get<FiledReport[]>("/api/reports/mine");
  expect(Date.parse(mine!.tsAppealUntil!)).toBeGreaterThan(Date.now());
});

it("has the parts that Art. 17 and Art. 16(5) of the DSA require, in both languages", () => {
  const facts = {
    kind: "suspend",
    rule: "spam",
    reason: "Ads",
    detection: "game",
    byJury: true,
    until: "1 May",
    appealUntil: null,
  } as const;
  for (const locale of ["en", "es"] as const) {
    const parts = statementParts(facts, "Spam", locale);
    expect(parts.length).toBe(5);
    expect(parts.every(({ heading, text }) => heading !== "" && text !== "")).toBe(true);
    expect(reporterStatementParts({ acted: false, appealUntil: "2 May" }, locale)[2]!.text).toContain("2 May");
  }
});
