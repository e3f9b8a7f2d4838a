/** The life of a notice, as docs/decisions/2026-11-22-legal-notices-without-an-account.md draws it. */
import type { DeskNoticeFile } from "@lambda/contract/notices";
import { createMember, type TestMember } from "@lambda/testing/member";
import { fileNotice, INTIMATE_NOTICE, openReceipt, parseReceiptLink, post } from "@lambda/testing/notices";
import { uploadPicture } from "@lambda/testing/pictures";
import { makeScenePng } from "@lambda/testing/scene-picture";
import { createVisitor, type TestVisitor, waitForMail } from "@lambda/testing/visitor";
import { waitFor } from "@lambda/testing/wait-for";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { beforeEach, describe, expect, it } from "vitest";

const REASON = "It shows somebody who did not agree.";
const ILLEGAL = { kind: "illegal", category: "threat", role: undefined, explanation: "He threatens to come here." };

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

/** A confirmed notice that attaches a copy of two pictures, which are hidden at once. */
async function scene(draft: Record<string, unknown> = {}) {
  const owner = await createMember(worker, { name: "Owner" });
  const twin = await createMember(worker, { name: "Twin" });
  const [admin, judge] = [
    await createMember(worker, { adminBrand: "ember" }),
    await createMember(worker, { adminBrand: "ember" }),
  ];
  const { id: picture } = await uploadPicture(owner, { bytes: makeScenePng(7) });
  const { id: alike } = await uploadPicture(twin, { bytes: makeScenePng(7, { width: 400, height: 500 }) });
  const { id: third } = await uploadPicture(twin);
  const copy = makeScenePng(7, { width: 144, height: 180 }).toString("base64");
  await fileNotice(visitor, { location: `/api/profile-pic/${picture}`, picture: copy, ...draft });
  const receipt = parseReceiptLink((await waitForMail(worker, INTIMATE_NOTICE.email)).text);
  await openReceipt(visitor, receipt);
  await waitFor(async () => expect(await rows("select id from notice where ts_matched is not null")).toHaveLength(1));
  const [{ id }] = (await rows<{ id: number }>("select id from notice")) as [{ id: number }];
  const act = (by: TestMember, step: string, body: object) => by.send("POST", `/api/admin/notice/${id}/${step}`, body);
  const acts = {
    ask: () => act(admin, "ask", { text: "Which of the two are you?" }),
    answer: () => post(visitor, `/api/notice/${receipt.ref}/answer`, { secret: receipt.secret, text: "The left one." }),
    name: () => act(admin, "picture", { pictureId: third }),
    remove: () => act(admin, "remove", { reason: REASON }),
    reject: () => act(admin, "reject", { reason: "It is a drawing." }),
    forward: () => act(admin, "forward", { subjectProfileId: owner.id, rule: "intimate", text: "He did it before." }),
    counter: () => owner.send("POST", `/api/notices/mine/${id}/counter`, { text: "It shows nobody but me." }),
    uphold: () => act(judge, "counter", { subjectProfileId: owner.id, upheld: true, reason: "It is the owner alone." }),
    refuse: () => act(judge, "counter", { subjectProfileId: owner.id, upheld: false, reason: "It is not." }),
  };
  const run = async (...names: (keyof typeof acts)[]) => {
    for (const name of names) expect([name, (await acts[name]()).ok]).toEqual([name, true]);
  };
  return { owner, twin, admin, judge, picture, alike, third, id, act, acts, run };
}
type Act = keyof Awaited<ReturnType<typeof scene>>["acts"];

describe("the states of a notice", () => {
  const DECIDED = { ask: 409, answer: 409, name: 409, remove: 409, reject: 409, forward: 409 };
  const NOT_REMOVED = { uphold: 404, refuse: 404 };
  const NOTHING_PENDING = { uphold: 409, refuse: 409 };

  /** What is refused in each state. What is allowed shows on the way to the next one. */
  it.each<[string, readonly Act[], Partial<Record<Act, number>>]>([
    ["open", ["name"], { answer: 409, ...NOT_REMOVED }],
    ["asked", ["ask"], { ...NOT_REMOVED }],
    ["asked again", ["ask", "ask", "answer", "ask"], { ...NOT_REMOVED }],
    ["answered", ["ask", "answer"], { answer: 409, ...NOT_REMOVED }],
    ["objected to", ["counter"], { answer: 409, counter: 409, ...NOT_REMOVED }],
    ["a case, and still undecided", ["ask", "forward", "ask"], { forward: 409, ...NOT_REMOVED }],
    ["removed", ["ask", "remove"], { ...DECIDED, ...NOTHING_PENDING }],
    ["removed after an objection", ["counter", "remove"], { ...DECIDED, counter: 409, ...NOTHING_PENDING }],
    ["removed beside a case", ["forward", "remove"], { ...DECIDED, ...NOTHING_PENDING }],
    ["objected to after the removal", ["remove", "counter"], { ...DECIDED, counter: 409 }],
    ["restored", ["remove", "counter", "uphold"], { ...DECIDED, counter: 409, ...NOTHING_PENDING }],
    ["removed for good", ["remove", "counter", "refuse"], { ...DECIDED, counter: 409, ...NOTHING_PENDING }],
    ["rejected", ["ask", "answer", "reject"], { ...DECIDED, counter: 409, ...NOT_REMOVED }],
    ["rejected beside a case", ["forward", "reject"], { ...DECIDED, counter: 409, ...NOT_REMOVED }],
  ])("%s", async (_, way, refused) => {
    const { acts, run } = await scene();
    await run(...way);
    const names = Object.keys(refused) as Act[];
    const statuses: Record<string, number> = {};
    for (const name of names) statuses[name] = (await acts[name]()).status;
    expect(statuses).toEqual(refused);
  });

  it("forwarded, if it hides nothing", async () => {
    const { acts, run } = await scene(ILLEGAL);
    await run("ask", "forward");
    const statuses = await Promise.all(
      (Object.keys(DECIDED) as Act[]).map(async (name) => (await acts[name]()).status),
    );
    expect(statuses).toEqual(Object.values(DECIDED));
    expect((await acts.counter()).status).toBe(404);
    expect((await acts.uphold()).status).toBe(404);
  });

  it("asks nobody who has no address, and removes no picture of another notice", async () => {
    const { admin, picture, act } = await scene();
    const removal = await act(admin, "remove", { reason: REASON, pictureIds: [picture, picture + 1000] });
    expect([removal.status, await removal.json()]).toMatchObject([404, { error: { field: "pictureIds" } }]);
    await rows("update notice set email = ''");
    const question = await act(admin, "ask", { text: "Which of the two are you?" });
    expect([question.status, await question.json()]).toMatchObject([400, { error: { field: "id" } }]);
  });
});

describe("a decision", () => {
  it("about one of two pictures that look alike shows the other again, and never compares it again", async () => {
    const { owner, twin, admin, picture, alike, id, act } = await scene();
    const states = async () => {
      const { pictureList } = await admin.get<DeskNoticeFile>(`/api/admin/notice/${id}`);
      return [picture, alike].map((one) => pictureList.find(({ pictureId }) => pictureId === one)?.state);
    };
    expect(await states()).toEqual(["hidden", "hidden"]);
    expect((await act(admin, "remove", { reason: REASON, pictureIds: [picture] })).status).toBe(200);
    expect(await states()).toEqual(["removed", "cleared"]);
    expect(await rows("select profile_id from picture_exemption")).toEqual([{ profile_id: twin.id }]);
    const viewer = await createMember(worker);
    const statuses = [picture, alike].map(async (one) => (await viewer.fetch(`/api/profile-pic/${one}`)).status);
    expect(await Promise.all(statuses)).toEqual([404, 200]);
    const told = async (member: TestMember) => JSON.stringify(await member.get(`/api/notifications/${member.id}`));
    expect(await told(owner)).toContain("was removed on a notice");
    expect(await told(twin)).toContain("It is visible again.");
  });

  it("is not taken without the mail that tells of it", async () => {
    const { acts, run } = await scene();
    const refused = async (...names: Act[]) => {
      await worker.env.DB.exec(
        "create trigger broken before insert on mail_queue begin select raise(abort, 'broken'); end",
      );
      for (const name of names) expect([name, (await acts[name]()).status]).toEqual([name, 500]);
      await worker.env.DB.exec("drop trigger broken");
    };
    await refused("ask", "remove", "reject");
    await run("ask", "remove", "counter");
    await refused("uphold", "refuse");
    await run("refuse");
    await waitForMail(worker, INTIMATE_NOTICE.email, 3);
  });

  it.each<["remove" | "reject", string]>([
    ["remove", "refused"],
    ["reject", "upheld"],
  ])("to %s answers an objection that came before it", async (step, result) => {
    const { owner, run } = await scene();
    await run("counter", step);
    expect(await owner.get("/api/notices/mine")).toMatchObject([{ counter: { allowed: false, result } }]);
  });
});

describe("the audit log", () => {
  const log = () =>
    rows<{ body: string; details: string; subject: number | null; actor: number | null }>(
      `select e.body, p.details, p.subject_id as subject, p.actor_id as actor from audit_entry e
        join audit_private p on p.seq = e.seq where e.action like 'notice.%' order by e.seq`,
    );
  const published = async (member: TestMember) => {
    const entries = await member.get<{ body: string }[]>("/api/transparency/chain");
    return entries.map(({ body }) => (JSON.parse(body) as { action: string }).action);
  };

  it("says who did what and why, and publishes it with the decision", async () => {
    const { owner, twin, admin, judge, picture, alike, third, run } = await scene();
    await run("ask", "answer", "name");
    expect(await published(owner)).toEqual([]);
    await run("remove", "counter", "uphold");
    const [ref] = await rows<{ case_ref: string }>("select case_ref from notice");
    const entries = (await log()).map(({ body, details, subject, actor }) => {
      const { action, by, brand, caseRef, details: open } = JSON.parse(body) as Record<string, unknown>;
      expect([brand, caseRef]).toEqual(["ember", ref!.case_ref]);
      const { subjectId, actorId, ...secret } = JSON.parse(details) as Record<string, unknown>;
      expect([subjectId, actorId]).toEqual([subject, actor]);
      return [action, by, open, secret, subject, actor];
    });
    const decided = { rule: "intimate", outcome: "removed", waitedMs: expect.any(Number) };
    expect(entries).toEqual([
      ["notice.received", "visitor", { rule: "intimate" }, {}, null, null],
      ["notice.hidden_at_once", "clock", {}, { pictures: `${picture} ${alike}` }, null, null],
      ["notice.asked", "staff", {}, { reason: "Which of the two are you?" }, null, admin.id],
      ["notice.picture_named", "staff", {}, { pictureId: third }, twin.id, admin.id],
      ["notice.decided", "staff", decided, { reason: REASON }, owner.id, admin.id],
      ["notice.countered", "member", {}, {}, owner.id, null],
      [
        "notice.counter_decided",
        "staff",
        { result: "upheld" },
        { reason: "It is the owner alone." },
        owner.id,
        judge.id,
      ],
    ]);
    expect(await published(owner)).toEqual(entries.map(([action]) => action));
  });

  it("keeps what leads to a case with the case", async () => {
    const { owner, admin, run } = await scene();
    await run("counter", "forward", "reject");
    const [report] = await rows<{ case_ref: string }>("select case_ref from report");
    const [, , countered, forwarded, decided] = await log();
    expect(JSON.parse(countered!.body)).toMatchObject({ action: "notice.countered", by: "member", details: {} });
    expect(JSON.parse(forwarded!.body)).toMatchObject({
      action: "notice.forwarded",
      by: "staff",
      caseRef: report!.case_ref,
      details: { rule: "intimate" },
    });
    expect(forwarded).toMatchObject({ subject: owner.id, actor: admin.id });
    expect(JSON.parse(forwarded!.details)).toMatchObject({ reason: "He did it before." });
    expect(JSON.parse(decided!.body)).toMatchObject({ details: { rule: "intimate", outcome: "rejected" } });
    expect(decided).toMatchObject({ subject: owner.id, actor: admin.id });
    expect(await published(owner)).toEqual([
      "notice.received",
      "notice.hidden_at_once",
      "notice.countered",
      "notice.decided",
    ]);
  });
});

describe("the desk", () => {
  it("lists legal deadlines first, and serves another brand's staff nothing", async () => {
    const { admin, id, act } = await scene(ILLEGAL);
    const elsewhere = await createMember(worker, { brand: "harbor", adminBrand: "harbor" });
    await fileNotice(visitor, { email: "second@example.test" });
    const list = async (by: TestMember, view: string) =>
      (await by.get<{ id: number; kind: string }[]>(`/api/admin/notices?view=${view}`)).map(({ kind }) => kind);
    expect(await list(admin, "open")).toEqual(["intimate", "illegal"]);
    expect(await list(elsewhere, "open")).toEqual([]);
    const open = [await admin.get("/api/admin/notice-counts"), await elsewhere.get("/api/admin/notice-counts")];
    expect(open).toMatchObject([{ open: 2, counters: 0 }, { open: 0 }]);
    const steps = { remove: { reason: REASON }, reject: { reason: REASON }, ask: { text: REASON } };
    for (const [step, body] of Object.entries(steps)) expect((await act(elsewhere, step, body)).status).toBe(404);
    expect((await elsewhere.fetch(`/api/admin/notice/${id}`)).status).toBe(404);
    expect((await act(admin, "reject", { reason: REASON })).status).toBe(200);
    expect([await list(admin, "open"), await list(admin, "decided")]).toEqual([["intimate"], ["illegal"]]);
  });

  it("lists the notices and letters of others however many one sender floods it with", async () => {
    const admin = await createMember(worker, { adminBrand: "ember" });
    const run = (sql: string) => worker.run({ query: sql, values: [] });
    const file = (from: string, kind: string, count: number, columns: string, values: string) =>
      run(`insert into notice (ref, case_ref, brand, kind, category, locale, sender_network, ts_created${columns})
        with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})
        select '${from}' || i, '${from}' || i, 'ember', '${kind}', 'intimate', 'en', x'${from}', i${values} from n`);
    // Never confirmed, confirmed from one network, and what they must not hide.
    for (let network = 10; network < 16; network += 1) await file(`${network}`, "intimate", 10, "", "");
    await file("20", "intimate", 60, ", ts_confirmed", ", 1");
    await file("30", "illegal", 1, ", anonymous", ", 1");
    await file("40", "intimate", 1, ", ts_confirmed", ", 1");
    const refs = async () => (await admin.get<{ ref: string }[]>("/api/admin/notices")).map(({ ref }) => ref);
    expect(await refs()).toEqual(expect.arrayContaining(["301", "401"]));
    expect(await refs()).toHaveLength(50);

    const member = await createMember(worker);
    const letters = (id: number | null, name: string, count: number) =>
      run(`insert into contact_message (kind, profile_id, brand, name, message, ts_created)
        with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})
        select 'contact', ${id}, 'ember', '${name}' || i, 'Help', i from n`);
    await letters(null, "Waiting", 1);
    await letters(null, "Flood", 60);
    await letters(member.id, "Member", 1);
    const names = (await admin.get<{ name: string }[]>("/api/admin/contact-messages")).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(["Waiting1", "Member1"]));
    expect(names[0]).toBe("Member1");
  });
});
