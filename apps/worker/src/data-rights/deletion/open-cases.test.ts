/** The purge with unsettled cases: they keep their evidence, and nothing else of deleted members. */
import { ACCOUNT_DELETION_GRACE_MS, APPEAL_WINDOW_MS, DAY_MS } from "@lambda/contract/limits";
import { createMember, type TestMember } from "@lambda/testing/member";
import { uploadPicture } from "@lambda/testing/pictures";
import { limiterOf } from "@lambda/testing/rate-limits";
import { listTraces } from "@lambda/testing/traces";
import { createVisitor, waitForMail } from "@lambda/testing/visitor";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { beforeEach, expect, it } from "vitest";

const NIGHTLY = "17 3 * * *";

let worker: TestWorker;
let admin: TestMember;
beforeEach(async () => {
  worker = await startWorker();
  admin = await createMember(worker, { adminBrand: "ember" });
});

const run = (sql: string, ...values: unknown[]) =>
  worker.env.DB.prepare(sql)
    .bind(...values)
    .run();
const countRows = async (table: string) =>
  (await worker.env.DB.prepare(`select count(*) as n from ${table}`).first("n")) as number;
const countCopies = async () => (await worker.env.PICTURES.list({ prefix: "evidence/" })).objects.length;
const runNight = (time: number) => worker.runCron(NIGHTLY, time);

/** A text in all data of a member except evidence. */
const markerOf = ({ email }: TestMember) => email.split("@")[0]!;

interface CaseFile {
  state: string;
  outcome: string | null;
  subjectProfileId: number;
  complaints: { text: string }[];
  evidence: { id: number; kind: string; text: string; hasPicture: boolean; byReported: boolean }[];
  actions: { id: number; kind: string }[];
  appeals: { forStaff: boolean }[];
}
const readCase = (id: number) => admin.get<CaseFile>(`/api/admin/report/${id}`);

/** A case with evidence of both members, and other data of theirs. */
async function createCase(category = "minor") {
  const subject = await createMember(worker, { freshProof: true, name: "Subject", email: "subject-mark@example.test" });
  const reporter = await createMember(worker, {
    freshProof: true,
    name: "Reporter",
    email: "reporter-mark@example.test",
  });
  const picture = await uploadPicture(subject);
  const send = async (from: TestMember, to: TestMember, bodyText: string) => {
    const sent = await from.send("POST", "/api/message", { recipientProfileId: to.id, bodyText });
    return ((await sent.json()) as { id: number }).id;
  };
  const question = await send(subject, reporter, "How old are you?");
  const reply = await send(reporter, subject, "Fifteen");
  for (const member of [subject, reporter]) {
    await run("update account set name = ?, network = 7 where id = ?", markerOf(member), member.id);
    await run("insert into profile_note values (?, ?, ?, '[]', 1)", member.id, admin.id, markerOf(member));
    await run(
      "insert into notification (profile_id, kind, body_text, brand, ts_created) values (?, 'match', ?, 'ember', 1)",
      member.id,
      markerOf(member),
    );
  }
  const filed = await reporter.send("POST", "/api/report", {
    subjectProfileId: subject.id,
    category,
    source: "message",
    sourceId: question,
    text: "He asks children",
    messageIds: [reply],
    pictureIds: [picture.id],
  });
  const { id } = (await filed.json()) as { id: number };
  await run("update session set ts_expires = ?", Date.now() + 365 * DAY_MS);
  return { subject, reporter, id };
}

async function deleteAccounts(...members: TestMember[]): Promise<number> {
  for (const member of members) {
    // The same address is told once a day.
    await limiterOf(worker, `mail:accountDeleted:${member.email}`).clear();
    expect((await member.send("POST", "/api/account/deletion", {})).status).toBe(200);
    await waitForMail(worker, member.email);
  }
  return Date.now() + ACCOUNT_DELETION_GRACE_MS + DAY_MS;
}

async function expectComplete(id: number) {
  const file = await readCase(id);
  expect(file.complaints).toMatchObject([{ text: "He asks children" }]);
  expect(file.evidence.map(({ kind, byReported, text }) => [kind, byReported, text.split("\n")[0]]).sort()).toEqual([
    ["message", false, "Fifteen"],
    ["message", true, "How old are you?"],
    ["picture", true, ""],
    ["profile", true, "Subject"],
  ]);
  const picture = file.evidence.find(({ hasPicture }) => hasPicture);
  expect((await admin.fetch(`/api/evidence/${picture?.id}`)).status).toBe(200);
  return file;
}

/** Expects no data of the members except the case, which belongs to stand-ins with new ids. */
async function expectErased(...members: TestMember[]) {
  for (const member of members) expect(await listTraces(worker, member.id, markerOf(member))).toEqual([]);
  const { results } = await worker.env.DB.prepare(
    `select a.*, p.* from account a join profile p using (id) where a.ts_deleted is not null`,
  ).all<Record<string, unknown>>();
  expect(results.length).toBe(members.length);
  for (const row of results) {
    expect(row).toMatchObject({
      name: "",
      profile_name: "",
      birthdate: null,
      network: null,
      ts_created: 0,
      status: "deleted",
    });
    expect(row.email).toMatch(/^purged:[0-9a-f]+$/);
  }
}

it.each([["subject"], ["reporter"], ["both"]] as const)(
  "keeps an open case complete after the deletion of %s, and lets staff decide it",
  async (who) => {
    const { subject, reporter, id } = await createCase();
    const deleted = who === "both" ? [subject, reporter] : [who === "subject" ? subject : reporter];
    const afterGrace = await deleteAccounts(...deleted);
    await runNight(afterGrace);
    await expectErased(...deleted);
    const file = await expectComplete(id);
    await runNight(afterGrace + 60 * DAY_MS);
    await expectComplete(id);

    const sanction = {
      subjectProfileId: file.subjectProfileId,
      kind: "ban",
      rule: "minor",
      reason: "Asks children",
      reportId: id,
    };
    expect((await admin.send("POST", "/api/admin/action", sanction)).status).toBe(201);
    expect(await readCase(id)).toMatchObject({ state: "decided", outcome: "ban", actions: [{ kind: "ban" }] });
    await runNight(Date.now() + APPEAL_WINDOW_MS + DAY_MS);
    expect(await countCopies()).toBe(0);
    await expect.poll(() => countRows("account where ts_deleted is not null")).toBe(0);
    expect(await countRows("report")).toBe(who === "reporter" ? 1 : 0);
  },
);

it("keeps a case until its time to appeal is over or its appeal is decided", async () => {
  const { subject, reporter, id } = await createCase("threat");
  expect((await admin.send("POST", `/api/admin/report/${id}/dismiss`, { reason: "A joke" })).status).toBe(200);
  const afterGrace = await deleteAccounts(subject);
  // Decided the day before, so it can still be appealed.
  await run("update report set ts_decided = ?", afterGrace - DAY_MS);
  await runNight(afterGrace);
  await expectErased(subject);
  await expectComplete(id);
  await run("update report set ts_decided = ?", Date.now());
  const appeal = await reporter.send("POST", `/api/report/${id}/appeal`, { text: "He meant what he wrote" });
  expect(appeal.status).toBe(201);
  await runNight(afterGrace + APPEAL_WINDOW_MS);
  const file = await expectComplete(id);
  expect(file.appeals).toMatchObject([{ forStaff: true }]);
  // The deciding admin is still known and may not decide the appeal, as there is another.
  await createMember(worker, { adminBrand: "ember" });
  expect((await admin.send("POST", `/api/admin/report/${id}/appeal`, { reversed: false })).status).toBe(403);
  const other = await createMember(worker, { adminBrand: "*" });
  expect((await other.send("POST", `/api/admin/report/${id}/appeal`, { reversed: false })).status).toBe(200);
  await runNight(afterGrace + APPEAL_WINDOW_MS + DAY_MS);
  expect([await countRows("report"), await countRows("evidence"), await countCopies()]).toEqual([0, 0, 0]);
});

it("deletes settled cases, even of a member with an unsettled one", async () => {
  const { subject, reporter, id } = await createCase("spam");
  await run("update report set state = 'decided', outcome = 'none', ts_decided = 1");
  await uploadPicture(subject);
  const filed = await reporter.send("POST", "/api/report", {
    subjectProfileId: subject.id,
    category: "minor",
    source: "profile",
    text: "The open one",
  });
  const open = ((await filed.json()) as { id: number }).id;
  await runNight(await deleteAccounts(subject, reporter));
  await expectErased(subject, reporter);
  expect((await admin.fetch(`/api/admin/report/${id}`)).status).toBe(404);
  expect((await readCase(open)).complaints).toMatchObject([{ text: "The open one" }]);
  expect([await countRows("report"), await countRows("report_filing"), await countCopies()]).toEqual([1, 1, 0]);
});

it("lets a deleted member register again with the same address, as a new account", async () => {
  const { subject, id } = await createCase();
  await runNight(await deleteAccounts(subject));
  const visitor = createVisitor(worker);
  await visitor.send("POST", "/api/auth/register", {
    email: subject.email,
    acknowledgements: "cookies; adult; geolocation",
  });
  await expect
    .poll(async () => {
      const token = /token=([\w-]+)/.exec((await waitForMail(worker, subject.email)).text)?.[1] ?? "";
      return (await visitor.send("POST", "/api/auth/token", { token, confirmed: true })).status;
    })
    .toBe(200);
  const fresh = await worker.env.DB.prepare("select id from account where email = ?").bind(subject.email).first("id");
  const { subjectProfileId } = await readCase(id);
  expect(new Set([fresh, subject.id, subjectProfileId]).size).toBe(3);
  // The stand-in's address cannot receive a login link.
  const standInEmail = await worker.env.DB.prepare("select email from account where id = ?")
    .bind(subjectProfileId)
    .first("email");
  const registration = await visitor.send("POST", "/api/auth/register", {
    email: standInEmail,
    acknowledgements: "cookies; adult; geolocation",
  });
  expect(registration.status).toBe(400);
});
