/** The staff's desk for notices: decisions, scheduled jobs, and what each side learns. */
import { getBrand } from "@lambda/brands";
import {
  DAY_MS,
  HOUR_MS,
  MINUTE_MS,
  NOTICE_CONTACT_RETENTION_MS,
  NOTICE_COUNTER_WINDOW_MS,
  NOTICE_MAILBOX_DISTRUSTED_MS,
} from "@lambda/contract/limits";
import { createMember, logIn, type TestMember } from "@lambda/testing/member";
import { fileNotice, INTIMATE_NOTICE, openReceipt, parseReceiptLink, post } from "@lambda/testing/notices";
import { postPicture, uploadPicture } from "@lambda/testing/pictures";
import { makeScenePng } from "@lambda/testing/scene-picture";
import { createVisitor, type TestVisitor, waitForMail } from "@lambda/testing/visitor";
import { waitFor } from "@lambda/testing/wait-for";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { beforeEach, describe, expect, it } from "vitest";

import type { Env } from "../../platform/env.ts";
import { mailLateNoticeAlarms } from "./jobs.ts";

const EVERY_MINUTE = "* * * * *";
const NIGHTLY = "17 3 * * *";

let worker: TestWorker;
let visitor: TestVisitor;
beforeEach(async () => {
  worker = await startWorker();
  visitor = createVisitor(worker);
});

async function rows<Row = Record<string, unknown>>(query: string, ...values: (string | number)[]): Promise<Row[]> {
  const [found] = await worker.run({ query, values });
  return found as Row[];
}
const pictureStatus = async (member: TestMember, picture: number) =>
  (await member.fetch(`/api/profile-pic/${picture}`)).status;
const act = async (admin: TestMember, id: number, step: string, body: object) =>
  (await admin.send("POST", `/api/admin/notice/${id}/${step}`, body)).status;

async function mailsTo(address: string): Promise<{ subject: string; text: string }[]> {
  const mails = (await (await visitor.fetch("/dev/mail.json")).json()) as {
    to: string;
    subject: string;
    text: string;
  }[];
  return mails.filter(({ to }) => to === address);
}

/** A confirmed notice that uploads the picture in another size than its owner did. */
async function scene(draft: Record<string, unknown> = {}, now?: number) {
  const owner = await createMember(worker, { name: "Owner" });
  const other = await createMember(worker, { name: "Other" });
  const admin = await createMember(worker, { name: "Admin", adminBrand: "ember" });
  const { id: picture } = await uploadPicture(owner, { bytes: makeScenePng(7) });
  const upload = makeScenePng(7, { width: 300, height: 375 }).toString("base64");
  const options = now === undefined ? {} : { now };
  const filed = await fileNotice(visitor, { location: "", picture: upload, ...draft }, options);
  expect(filed.status).toBe(201);
  const receipt = parseReceiptLink((await waitForMail(worker, INTIMATE_NOTICE.email)).text);
  await openReceipt(visitor, receipt, options);
  await waitFor(async () => expect(await rows("select id from notice where ts_matched is not null")).toHaveLength(1));
  const [{ id }] = (await rows<{ id: number }>("select id from notice")) as [{ id: number }];
  return { owner, other, admin, picture, receipt, id };
}

/** A notice that staff have turned into a case against the owner. */
async function forwarded() {
  const text = "He threatens people whom he met here, by name.";
  const found = await scene({
    kind: "illegal",
    category: "threat",
    role: undefined,
    picture: undefined,
    explanation: text,
    location: "/profile/1",
  });
  const draft = { subjectProfileId: found.owner.id, rule: "threat", text };
  expect(await act(found.admin, found.id, "forward", draft)).toBe(200);
  const [report] = await rows<{ id: number }>(
    "select id from report where staff_only = 1 and category = 'threat' and subject_id = ?",
    found.owner.id,
  );
  return { ...found, text, report: report!.id };
}

/** What the notifier was mailed about the outcome of the case, oldest first. */
async function outcomesMailed(): Promise<string[]> {
  const mails = await mailsTo(INTIMATE_NOTICE.email);
  return mails.toReversed().flatMap(({ text }) => /^.*(?:no rule was broken|we acted).*$/m.exec(text)?.[0] ?? []);
}
const dismissCase = (admin: TestMember, report: number) =>
  admin.send("POST", `/api/admin/report/${report}/dismiss`, { reason: "Nothing there" });
const warn = (admin: TestMember, subject: TestMember, reportId: number) =>
  admin.send("POST", "/api/admin/action", {
    subjectProfileId: subject.id,
    kind: "warn",
    rule: "threat",
    reason: "A threat after all",
    reportId,
  });
const appeal = async (by: TestMember, report: number) =>
  expect(
    (await by.send("POST", `/api/report/${report}/appeal`, { text: "Please look at this once more, all of it." }))
      .status,
  ).toBe(201);
const judgeAppeal = async (report: number, reversed: boolean) => {
  const judge = await createMember(worker, { adminBrand: "ember" });
  expect((await judge.send("POST", `/api/admin/report/${report}/appeal`, { reversed })).status).toBe(200);
};

describe("a notice with an uploaded picture", () => {
  it("finds the stored picture by its hash, and the upload is not stored", async () => {
    const { owner, other, admin, picture, id } = await scene();
    expect(await pictureStatus(other, picture)).toBe(404);
    const file = await admin.get(`/api/admin/notice/${id}`);
    expect(file).toMatchObject({
      hasUpload: true,
      pictureList: [{ pictureId: picture, profileName: "Owner", state: "hidden", atOnce: true }],
    });
    const viewed = await admin.fetch(`/api/notice-picture/${id}/${picture}`);
    expect([viewed.status, viewed.headers.get("cache-control")]).toEqual([200, "private, no-store"]);
    expect(await rows("select action from audit_entry where action = 'staff.evidence_viewed'")).toHaveLength(1);
    const { objects } = await worker.env.PICTURES.list();
    const pictures = objects.filter(({ key }) => !key.includes("mail"));
    expect(pictures.every(({ key }) => key.startsWith(`pictures/${owner.id}/${picture}/`))).toBe(true);
    expect((await other.fetch(`/api/notice-picture/${id}/${picture}`)).status).toBe(404);
  });

  it("is rejected if the upload is not a picture, and does not match other pictures", async () => {
    const response = await fileNotice(visitor, { picture: Buffer.from("no picture").toString("base64") });
    expect([response.status, await response.json()]).toEqual([
      400,
      expect.objectContaining({ error: expect.objectContaining({ field: "picture" }) }),
    ]);
    const { other } = await scene();
    const { id: another } = await uploadPicture(await createMember(worker), { bytes: makeScenePng(99) });
    expect(await pictureStatus(other, another)).toBe(200);
  });
});

describe("a decision", () => {
  it("to remove notifies both sides, blocks copies, and is undone by an upheld objection", async () => {
    const { owner, other, admin, picture, receipt, id } = await scene();
    expect(await act(admin, id, "remove", { reason: "It shows somebody who did not agree." })).toBe(200);
    expect(await act(admin, id, "reject", { reason: "Too late." })).toBe(409);
    expect(await openReceipt(visitor, receipt)).toMatchObject({
      state: "removed",
      reason: "It shows somebody who did not agree.",
    });
    await waitFor(async () => {
      const mail = (await mailsTo(INTIMATE_NOTICE.email)).find(({ subject }) => subject.includes("is decided"));
      expect(mail?.text).toMatch(/did not agree[\s\S]*out-of-court/);
      expect(parseReceiptLink(mail?.text ?? "")).toMatchObject({ ref: receipt.ref, secret: receipt.secret });
    });
    // The scheduled jobs hold stored copies of the removed picture, and leave the picture itself to its notice.
    await worker.runCron(EVERY_MINUTE);
    await worker.runCron("7 * * * *");
    const copy = await postPicture(other, makeScenePng(7, { width: 240, height: 300 }));
    expect([copy.status, await copy.json()]).toEqual([
      expect.any(Number),
      expect.objectContaining({ error: expect.anything() }),
    ]);

    // The owner can object once, and another admin decides if there is one.
    const [own] = await owner.get<{ id: number; counter: { allowed: boolean } }[]>("/api/notices/mine");
    expect(own).toMatchObject({ state: "removed", counter: { allowed: true } });
    const object = (text: string) => owner.send("POST", `/api/notices/mine/${own!.id}/counter`, { text });
    expect((await object("short")).status).toBe(400);
    expect((await object("It shows nobody but me.")).status).toBe(201);
    expect((await object("It shows nobody but me, really.")).status).toBe(409);
    expect(
      (await other.send("POST", `/api/notices/mine/${own!.id}/counter`, { text: "Not mine at all." })).status,
    ).toBe(404);
    const judge = await createMember(worker, { adminBrand: "ember" });
    expect(await judge.get("/api/admin/notices?view=counters")).toMatchObject([{ id, countered: true }]);
    const decision = { subjectProfileId: owner.id, upheld: true, reason: "It is the owner alone." };
    expect(await act(admin, id, "counter", decision)).toBe(403);
    expect(await act(judge, id, "counter", decision)).toBe(200);
    expect(await act(judge, id, "counter", decision)).toBe(409);
    expect(await pictureStatus(other, picture)).toBe(200);
    expect(await rows("select id from known_picture")).toEqual([]);
    expect(await owner.get("/api/notices/mine")).toMatchObject([{ state: "cleared", counter: { result: "upheld" } }]);
    expect(await openReceipt(visitor, receipt)).toMatchObject({ counter: "upheld" });
  });

  it("to reject shows the picture again, after a question that the notifier answers", async () => {
    const { owner, other, admin, picture, receipt, id } = await scene();
    expect(await act(admin, id, "ask", { text: "Which of the two are you?" })).toBe(200);
    expect(await openReceipt(visitor, receipt)).toMatchObject({ state: "asked", messages: [{ by: "staff" }] });
    await post(visitor, `/api/notice/${receipt.ref}/answer`, { secret: receipt.secret, text: "The left one." });
    expect(await act(admin, id, "reject", { reason: "It is a drawing." })).toBe(200);
    expect(await pictureStatus(other, picture)).toBe(200);
    expect(await other.get(`/api/profile/${owner.id}`)).toMatchObject({ profilePicIds: [picture] });
    expect(JSON.stringify(await owner.get(`/api/notifications/${owner.id}`))).toContain("visible again");
    expect(await openReceipt(visitor, receipt)).toMatchObject({ state: "rejected", reason: "It is a drawing." });
    const copy = await postPicture(other, makeScenePng(7, { width: 240, height: 300 }));
    expect(copy.status).toBe(201);
  });

  it("cannot be made by an admin about their own picture, and does not undo hiding by an action", async () => {
    const { owner, other, admin, picture, id } = await scene();
    await rows("update account set admin_brand = 'ember' where id = ?", owner.id);
    expect(await act(owner, id, "reject", { reason: "It is mine." })).toBe(404);
    expect(await act(admin, id, "reject", { reason: "It is an admin's." })).toBe(403);
    await rows("update account set admin_brand = null where id = ?", owner.id);
    await worker.run({
      query: `insert into moderation_action (profile_id, case_ref, brand, kind, picture_id, rule, reason, by_jury, ts_created)
        values (?, 'x', 'ember', 'hide_picture', ?, 'spam', 'r', 0, 1)`,
      values: [owner.id, picture],
    });
    expect(await act(admin, id, "reject", { reason: "It is a drawing." })).toBe(200);
    expect(await pictureStatus(other, picture)).toBe(404);
  });

  it("about an admin's picture is left to another network admin, and to the same one if there is no other", async () => {
    const { owner, admin, id } = await scene();
    await rows("update account set admin_brand = 'ember' where id = ?", owner.id);
    const network = await createMember(worker, { adminBrand: "*" });
    expect(await act(network, id, "remove", { reason: "It shows somebody who did not agree." })).toBe(200);
    const objection = { text: "It shows nobody but me." };
    expect((await owner.send("POST", `/api/notices/mine/${id}/counter`, objection)).status).toBe(201);
    const decision = { subjectProfileId: owner.id, upheld: true, reason: "It is the owner alone." };
    expect(await act(admin, id, "counter", decision)).toBe(403);
    const second = await createMember(worker, { adminBrand: "*" });
    expect(await act(network, id, "counter", decision)).toBe(403);
    await rows("update account set admin_brand = null where id = ?", second.id);
    expect(await act(network, id, "counter", decision)).toBe(200);
  });

  it("to forward it opens a case that staff alone judge, and the notifier is mailed its outcome", async () => {
    const { owner, admin, receipt, report, text } = await forwarded();
    expect(await openReceipt(visitor, receipt)).toMatchObject({ state: "forwarded" });
    expect(await admin.get(`/api/admin/report/${report}`)).toMatchObject({
      complaints: [{ text, rule: "threat", by: "visitor" }],
    });
    // Nothing public reveals it while it is open.
    expect(JSON.stringify(await owner.get("/api/transparency/chain"))).not.toContain("notice");
    expect(await owner.get("/api/transparency/notices")).toEqual([]);
    await dismissCase(admin, report);
    await worker.runCron(EVERY_MINUTE);
    await worker.runCron(EVERY_MINUTE);
    expect(await outcomesMailed()).toEqual([expect.stringContaining("is decided: no rule was broken")]);
    expect(await owner.get("/api/transparency/notices")).toMatchObject([{ received: 1, forwarded: 1 }]);
  });

  it("to forward it files nothing if somebody else decides the notice first", async () => {
    const { owner, admin, id } = await scene({ picture: undefined, location: "The profile called Owner" });
    const draft = { subjectProfileId: owner.id, rule: "threat", text: "He threatens people." };
    await worker.env.DB.exec(
      "create trigger faster after insert on report_filing begin update notice set state = 'rejected', ts_decided = 1; end",
    );
    const overtaken = await act(admin, id, "forward", draft);
    await worker.env.DB.exec("drop trigger faster");
    expect([overtaken, await rows("select id from report")]).toEqual([409, []]);

    await rows("update notice set state = 'open', ts_decided = null");
    expect(await act(admin, id, "forward", draft)).toBe(200);
    expect(await act(admin, id, "forward", draft)).toBe(409);
    const [report] = await rows("select id, filings, credibility from report");
    expect(report).toMatchObject({ filings: 1, credibility: 0.8 });
    expect(await rows("select state, report_id from notice")).toEqual([{ state: "forwarded", report_id: report!.id }]);
    expect(await rows("select action from audit_entry where action <> 'notice.received' order by seq")).toEqual([
      { action: "notice.forwarded" },
      { action: "report.filed" },
    ]);
  });

  it("to forward it mails the notifier again whenever an appeal reverses the outcome", async () => {
    const { owner, other, admin, report } = await forwarded();
    const joining = { subjectProfileId: owner.id, category: "threat", text: "Me too." };
    const joined = (await (await other.send("POST", "/api/report", joining)).json()) as { id: number };
    await dismissCase(admin, report);
    await worker.runCron(EVERY_MINUTE);
    await appeal(other, joined.id);
    await worker.runCron(EVERY_MINUTE);
    expect(await outcomesMailed()).toHaveLength(1);
    expect((await warn(admin, owner, report)).status).toBe(201);
    await worker.runCron(EVERY_MINUTE);
    await appeal(owner, report);
    await judgeAppeal(report, true);
    await worker.runCron(EVERY_MINUTE);
    await worker.runCron(EVERY_MINUTE);
    expect(await outcomesMailed()).toEqual([
      "The case that your notice led to is decided: no rule was broken.",
      expect.stringMatching(/^An appeal changed the decision .* the rules were broken, and we acted\.$/),
      expect.stringMatching(/^An appeal changed the decision .* no rule was broken, and we undid our action\.$/),
    ]);
  });

  it("to forward it mails a reversal once although the job runs later than it was due", async () => {
    const { owner, admin, report } = await forwarded();
    expect((await warn(admin, owner, report)).status).toBe(201);
    await worker.runCron(EVERY_MINUTE);
    await appeal(owner, report);
    const due = Date.now();
    await judgeAppeal(report, true);
    for (const time of [due, due + MINUTE_MS, due + 2 * MINUTE_MS]) await worker.runCron(EVERY_MINUTE, time);
    expect(await outcomesMailed()).toHaveLength(2);
  });

  it("to forward it does not mail the notifier again if an appeal upholds the outcome", async () => {
    const { owner, admin, report } = await forwarded();
    expect((await warn(admin, owner, report)).status).toBe(201);
    await worker.runCron(EVERY_MINUTE);
    await appeal(owner, report);
    await judgeAppeal(report, false);
    await worker.runCron(EVERY_MINUTE);
    expect(await outcomesMailed()).toEqual([expect.stringContaining("is decided: the rules were broken")]);
  });

  it("to remove needs a picture, which staff can name if members see it", async () => {
    const { admin, other, id } = await scene({ picture: undefined, location: "The profile called Other" });
    const { id: picture } = await uploadPicture(other);
    const { id: secret } = await uploadPicture(other, { audience: "private" });
    expect(await act(admin, id, "remove", { reason: "Seen." })).toBe(400);
    expect(await act(admin, id, "picture", { pictureId: secret })).toBe(404);
    expect(await act(admin, id, "picture", { pictureId: picture })).toBe(200);
    expect(await pictureStatus(await createMember(worker), picture)).toBe(200);
    expect(await act(admin, id, "remove", { reason: "Seen." })).toBe(200);
    expect(await pictureStatus(await createMember(worker), picture)).toBe(404);
  });
});

describe("the public figures", () => {
  it("are counted once until the public chain grows", async () => {
    const { admin, id } = await scene();
    await act(admin, id, "remove", { reason: "It shows somebody who did not agree." });
    const read = async (path: string) => {
      const response = await visitor.fetch(`/api/transparency/${path}`);
      return { body: await response.text(), rowsRead: Number(response.headers.get("x-d1-rows-read")) };
    };
    const first = await read("notices");
    expect(JSON.parse(first.body)).toMatchObject([{ received: 1, removed: 1, countersUpheld: 0 }]);
    // Only the newest entry of the chain.
    expect(await read("notices")).toEqual({ body: first.body, rowsRead: 1 });

    await fileNotice(visitor, { email: "second@example.test", location: "/profile/1" });
    const [second] = await rows<{ id: number }>("select id from notice where ts_decided is null");
    await act(admin, second!.id, "reject", { reason: "It is a drawing." });
    expect(JSON.parse((await read("notices")).body)).toMatchObject([{ received: 2, removed: 1, rejected: 1 }]);
  });
});

it("mails the decision about a notice whose brand was removed", async () => {
  const { id } = await scene();
  const network = await createMember(worker, { adminBrand: "*" });
  await worker.run({ query: "update notice set brand = 'gone'" });
  expect(await act(network, id, "reject", { reason: "It is a drawing." })).toBe(200);
  await waitFor(async () => expect(await mailsTo(INTIMATE_NOTICE.email)).toHaveLength(2));
});

describe("scheduled jobs", () => {
  it("mail the admins of the brand and the network once at 24 hours, and the desk shows what is overdue at 48", async () => {
    const filed = Date.now();
    const { owner, admin, id } = await scene({}, filed);
    const network = await createMember(worker, { adminBrand: "*" });
    // Of a notice about their own picture no mail tells an admin.
    const setRole = (brand: string | null) =>
      worker.env.DB.prepare("update account set admin_brand = ? where id = ?").bind(brand, owner.id).run();
    await setRole("ember");
    const elsewhere = await createMember(worker, { adminBrand: "harbor" });
    const alarms = async () =>
      Promise.all([admin, network, elsewhere, owner].map(async ({ email }) => (await mailsTo(email)).length));
    await worker.runCron(EVERY_MINUTE, filed + 24 * HOUR_MS - 60_000);
    expect(await alarms()).toEqual([0, 0, 0, 0]);
    // A run that ends before its mails are sent or stored alarms nobody, and the next one does.
    await worker.env.DB.exec(
      "create trigger broken before insert on mail_queue begin select raise(abort, 'broken'); end",
    );
    const refuses = { MAIL: { send: () => Promise.reject(new Error("The isolate ends.")) } };
    const env = Object.assign(Object.create(worker.env), refuses) as Env;
    await mailLateNoticeAlarms(env, filed + 24 * HOUR_MS + 1).catch(() => undefined);
    await worker.env.DB.exec("drop trigger broken");
    await rows("delete from mail_queue");
    await worker.runCron(EVERY_MINUTE, filed + 24 * HOUR_MS + 1);
    await worker.runCron(EVERY_MINUTE, filed + 25 * HOUR_MS);
    expect(await alarms()).toEqual([1, 1, 0, 0]);
    await setRole(null);
    const [mail] = await mailsTo(admin.email);
    expect(mail?.text).toContain(`https://${getBrand("ember").hosts[0]}/dashboard?section=notices`);
    const countsAt = async (now: number) => {
      const headers = { "x-development-now": String(now) };
      return (await (await admin.fetch("/api/admin/notice-counts", { headers })).json()) as object;
    };
    expect(await countsAt(filed + 23 * HOUR_MS)).toMatchObject({ open: 1, late: 0, overdue: 0 });
    expect(await countsAt(filed + 25 * HOUR_MS)).toMatchObject({ open: 1, late: 1, overdue: 0 });
    expect(await countsAt(filed + 49 * HOUR_MS)).toMatchObject({ open: 1, late: 1, overdue: 1 });

    const headers = { "x-development-now": String(filed + 49 * HOUR_MS), "content-type": "application/json" };
    const body = JSON.stringify({ reason: "Too late, but removed." });
    await admin.fetch(`/api/admin/notice/${id}/remove`, { method: "POST", headers, body });
    const [figures] = await admin.get<object[]>("/api/transparency/notices");
    expect(figures).toMatchObject({ received: 1, intimate: 1, hiddenAtOnce: 1, removed: 1, withinDue: 0 });
    expect(figures).toMatchObject({ medianDecisionMs: 49 * HOUR_MS });
  });

  it("delete a removed picture once its owner can no longer object, and later erase all personal data", async () => {
    const { owner, admin, picture, id } = await scene();
    await act(admin, id, "remove", { reason: "It shows somebody who did not agree." });
    const decided = Date.now();
    const stored = async () =>
      (await worker.env.PICTURES.list({ prefix: `pictures/${owner.id}/${picture}/` })).objects.length;
    await worker.runCron(NIGHTLY, decided + NOTICE_COUNTER_WINDOW_MS - HOUR_MS);
    expect(await stored()).toBeGreaterThan(0);
    await worker.runCron(NIGHTLY, decided + NOTICE_COUNTER_WINDOW_MS + HOUR_MS);
    expect([await stored(), await rows("select id from picture where id = ?", picture)]).toEqual([0, []]);
    const later = await logIn(worker, owner.id);
    expect(await later.get("/api/notices/mine")).toMatchObject([{ state: "deleted", counter: { allowed: false } }]);

    await worker.runCron(NIGHTLY, decided + NOTICE_CONTACT_RETENTION_MS - DAY_MS);
    expect(await rows("select id from notice where email <> ''")).toHaveLength(1);
    await worker.runCron(NIGHTLY, decided + NOTICE_CONTACT_RETENTION_MS + DAY_MS);
    expect(
      await rows(
        "select name, email, contact, location, explanation, upload_hash, sender_network, sender_mailbox from notice",
      ),
    ).toEqual([
      {
        name: "",
        email: "",
        contact: "",
        location: "",
        explanation: "",
        upload_hash: null,
        sender_network: null,
        sender_mailbox: null,
      },
    ]);
    expect(await rows("select state, reason from notice")).toEqual([
      { state: "removed", reason: "It shows somebody who did not agree." },
    ]);
  });

  it("keep the mark of the mailbox that sent an unfounded notice for a year", async () => {
    const { admin, id } = await scene();
    await act(admin, id, "reject", { reason: "It is false.", unfounded: true });
    const decided = Date.now();
    const marks = async () =>
      (await rows<{ n: number }>("select count(sender_mailbox) + count(sender_network) n from notice"))[0]?.n;
    await worker.runCron(NIGHTLY, decided + NOTICE_CONTACT_RETENTION_MS + DAY_MS);
    expect(await marks()).toBe(1);
    await worker.runCron(NIGHTLY, decided + NOTICE_MAILBOX_DISTRUSTED_MS + DAY_MS);
    expect(await marks()).toBe(0);
  });

  it("delete a notice's pictures with their owner's account", async () => {
    const { owner, id } = await scene();
    await rows("delete from account where id = ?", owner.id);
    expect(await rows("select picture_id from notice_picture")).toEqual([]);
    expect(await rows("select id from notice where id = ?", id)).toHaveLength(1);
  });
});
