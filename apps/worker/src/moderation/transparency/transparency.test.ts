/** What the public record tells of a case before and after its decision, and how an omission is found out. */
import { fillJuryPool, guilty, innocent, listSeats, voteAll } from "@lambda/testing/juries";
import { as, signIn, type TestMember } from "@lambda/testing/member";
import { asVisitor } from "@lambda/testing/visitor";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { beforeEach, describe, expect, it } from "vitest";
import { sha256 } from "../../platform/hash.ts";

const DAY = 86_400_000;
const NIGHT = "17 3 * * *";

let worker: TestWorker;
beforeEach(async () => {
  worker = await startWorker();
});

interface Entry {
  seq: number;
  body: string;
  previousHash: string;
  hash: string;
}
interface Body {
  action: string;
  caseRef: string | null;
  ts: string;
  details: Record<string, string | number | null>;
}
const chain = async (): Promise<(Entry & { said: Body })[]> => {
  const entries = (await (await asVisitor(worker).fetch("/api/transparency/chain")).json()) as Entry[];
  return entries.map((entry) => ({ ...entry, said: JSON.parse(entry.body) as Body }));
};
const actions = async () => (await chain()).map((entry) => entry.said.action);

async function file(by: TestMember, subject: TestMember, category = "harassment", more: object = {}) {
  const answer = await by.send("POST", "/api/report", { subjectProfileId: subject.id, category, ...more });
  expect(answer.status).toBe(201);
  return (await answer.json()) as { id: number; caseRef: string; receipt: string };
}

describe("until a case is decided", () => {
  it("nothing that its subject can ask for changes, however often it is asked", async () => {
    await fillJuryPool(worker);
    const [subject, reporter] = [await as(worker), await as(worker)];
    const visitor = asVisitor(worker);
    const asked = async () => {
      const answers = [
        ...["/api/transparency/chain", "/api/transparency", "/api/standing", `/api/notifications/${subject.id}`].map(
          (path) => subject.fetch(path),
        ),
        ...["/api/transparency/chain", "/api/transparency"].map((path) => visitor.fetch(path)),
      ];
      return Promise.all(answers.map(async (answer) => (await answer).text()));
    };
    const before = await asked();
    const { caseRef } = await file(reporter, subject);
    await file(await as(worker), subject, "harassment", { text: "I saw it too" });
    expect(await asked()).toEqual(before);
    expect(await subject.get(`/api/transparency/case/${caseRef}`)).toEqual([]);
    await voteAll((await listSeats(worker)).slice(0, 8), () => guilty("suspend_30"));
    expect(await asked()).toEqual(before);
    // A recommendation that waits for staff is no decision.
    await worker.schedule("* * * * *", Date.now() + DAY + 60_000);
    expect(await asked()).toEqual(before);
    expect(await subject.get(`/api/transparency/case/${caseRef}`)).toEqual([]);
  });

  it("a night's entry looks the same with a case as without one", async () => {
    const [subject, reporter, admin] = [await as(worker), await as(worker), await as(worker, { adminBrand: "ember" })];
    await admin.get(`/api/admin/member/${subject.id}`);
    await worker.schedule(NIGHT, Date.now() + DAY);
    // The night ended all sessions of today.
    await file(await signIn(worker, reporter.id), subject, "threat");
    await worker.env.DB.prepare("drop trigger audit_entry_unchangeable").run();
    await worker.env.DB.prepare("update audit_entry set ts = ts + ? where action = 'report.filed'").bind(DAY).run();
    await worker.env.DB.prepare(
      `create trigger audit_entry_unchangeable before update on audit_entry begin
       select raise(abort, 'the audit log is append-only'); end`,
    ).run();
    await worker.schedule(NIGHT, Date.now() + 2 * DAY);
    const days = (await chain()).filter((entry) => entry.said.action === "day.committed");
    expect(days).toHaveLength(2);
    const shape = ({ said }: { said: Body }) => [Object.keys(said.details), String(said.details.commitment).length];
    expect(shape(days[1]!)).toEqual(shape(days[0]!));
  });
});

describe("once a case is decided", () => {
  it("the record has all of it, in whole days, and the subject can check it", async () => {
    await fillJuryPool(worker);
    const [subject, reporter] = [await as(worker), await as(worker)];
    const { caseRef, receipt } = await file(reporter, subject);
    await voteAll(await listSeats(worker), () => guilty("suspend_3"));
    expect(await actions()).toEqual([
      "report.filed",
      "jury.seated",
      "jury.verdict",
      "action.suspend",
      "report.decided",
    ]);
    const entries = await chain();
    for (const { said } of entries) expect(said.ts).toMatch(/T00:00:00\.000Z$/);
    expect(entries[0]!.said.details).toEqual({ rule: "harassment", filed: receipt });
    expect(JSON.stringify(entries)).not.toContain("source");
    const own = await subject.get<(Entry & { salt: string; details: string })[]>(`/api/transparency/case/${caseRef}`);
    expect(own.map((entry) => entry.hash)).toEqual(entries.map((entry) => entry.hash));
    // Who sat on the jury is of nobody's private part.
    expect(own.filter((entry) => entry.salt === null).map((entry) => JSON.parse(entry.body).action)).toEqual([
      "jury.seated",
    ]);
    for (const entry of own.filter(({ salt }) => salt !== null)) {
      const { private: commitment } = JSON.parse(entry.body) as { private: string };
      expect(await sha256(`${entry.salt}\n${entry.details}`)).toBe(commitment);
    }
    const theirs = await reporter.get<{ salt: null }[]>(`/api/transparency/case/${caseRef}`);
    expect(theirs.map((entry) => entry.salt)).toEqual(theirs.map(() => null));
  });

  it("the subject does not read the words of a personal message, which would name its reader", async () => {
    await fillJuryPool(worker);
    const [subject, reporter] = [await as(worker), await as(worker)];
    const sent = await subject.send("POST", "/api/message", {
      recipientProfileId: reporter.id,
      bodyText: "Only to you",
    });
    const { id } = (await sent.json()) as { id: number };
    await file(reporter, subject, "harassment", { source: "message", sourceId: id });
    await voteAll(await listSeats(worker), () => guilty("warn"));
    const standing = await subject.get<{ actions: { evidence: object[] }[] }>("/api/standing");
    expect(standing.actions[0]!.evidence).toEqual([{ kind: "message", text: "" }]);
    expect(JSON.stringify(standing)).not.toContain("Only to you");
  });

  it("a cleared member is told, and finds it in the record", async () => {
    await fillJuryPool(worker);
    const [subject, reporter] = [await as(worker), await as(worker)];
    const { caseRef } = await file(reporter, subject);
    await voteAll(await listSeats(worker), () => innocent);
    expect(await subject.get(`/api/transparency/case/${caseRef}`)).toHaveLength(4);
    expect(JSON.stringify(await subject.get(`/api/notifications/${subject.id}`))).toContain("you broke no rule");
  });
});

describe("a case that is left out", () => {
  /** As a reader checks it: the commitment of each opened day, and a published case for each fingerprint in it. */
  async function check(): Promise<{ opened: number; missing: string[]; broken: string[] }> {
    const entries = await chain();
    const published = new Set(entries.map(({ said }) => said.details.filed));
    const committed = new Map(
      entries
        .filter(({ said }) => said.action === "day.committed")
        .map(({ said }) => [said.details.day, said.details.commitment]),
    );
    const result = { opened: 0, missing: [] as string[], broken: [] as string[] };
    for (const { said } of entries.filter((entry) => entry.said.action === "day.opened")) {
      const { day, salt, cases } = said.details as Record<string, string>;
      const listed = cases === "" ? [] : cases!.split(" ");
      result.opened += 1;
      if ((await sha256(`${salt}\n${JSON.stringify(listed)}`)) !== committed.get(day!)) result.broken.push(day!);
      result.missing.push(...listed.filter((hash) => !published.has(hash)));
    }
    return result;
  }

  it("keeps its day shut, and the day's commitment holds its fingerprint when it opens", async () => {
    const [subject, other, reporter] = [await as(worker), await as(worker), await as(worker)];
    const admin = await as(worker, { adminBrand: "ember" });
    const one = await file(reporter, subject, "threat");
    const two = await file(reporter, other, "minor");
    await admin.send("POST", `/api/admin/report/${one.id}/dismiss`, { reason: "Nothing there" });
    await worker.schedule(NIGHT, Date.now() + DAY);
    await worker.schedule(NIGHT, Date.now() + 20 * DAY);
    expect(await check()).toEqual({ opened: 0, missing: [], broken: [] });
    await worker.schedule(NIGHT, Date.now() + 33 * DAY);
    const waiting = await chain();
    expect(waiting.some((entry) => entry.said.action === "day.opened" && entry.body.includes(one.receipt))).toBe(false);

    const later = await signIn(worker, admin.id);
    await later.send("POST", `/api/admin/report/${two.id}/dismiss`, { reason: "Nothing there" });
    await worker.schedule(NIGHT, Date.now() + 34 * DAY);
    const after = await check();
    expect([after.missing, after.broken]).toEqual([[], []]);
    const opened = (await chain()).find(
      (entry) => entry.said.action === "day.opened" && entry.said.details.cases !== "",
    );
    expect(String(opened?.said.details.cases).split(" ").sort()).toEqual([one.receipt, two.receipt].sort());
  });

  it("is published as gone when its subject's account was purged", async () => {
    const [subject, reporter] = [await as(worker), await as(worker)];
    const { receipt } = await file(reporter, subject, "threat");
    await worker.schedule(NIGHT, Date.now() + DAY);
    await worker.env.DB.prepare("delete from account where id = ?").bind(subject.id).run();
    await worker.schedule(NIGHT, Date.now() + 33 * DAY);
    expect(await actions()).toEqual(expect.arrayContaining(["report.filed", "report.closed", "day.opened"]));
    const after = await check();
    expect([after.missing, after.broken]).toEqual([[], []]);
    expect((await chain()).some((entry) => String(entry.said.details.cases).includes(receipt))).toBe(true);
  });

  it("cannot be taken out of the public chain", async () => {
    const [subject, admin] = [await as(worker), await as(worker, { adminBrand: "ember" })];
    await admin.get(`/api/admin/member/${subject.id}`);
    const { DB } = worker.env;
    await expect(DB.prepare("update public_entry set action = 'x'").run()).rejects.toThrow(/append-only/);
    await expect(DB.prepare("delete from public_entry").run()).rejects.toThrow(/append-only/);
  });
});
