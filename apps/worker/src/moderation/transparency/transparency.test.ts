/** What the public record reveals about a case before and after its decision. */
import { DAY_MS } from "@lambda/contract/limits";
import { castVotes, guilty, innocent, listSummonedJurors } from "@lambda/testing/juries";
import { createJuryPool } from "@lambda/testing/jury-pool";
import { createMember, type TestMember } from "@lambda/testing/member";
import { createVisitor } from "@lambda/testing/visitor";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { beforeEach, describe, expect, it } from "vitest";
import { sha256 } from "../../platform/hash.ts";

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
const chain = async (): Promise<(Entry & { parsed: Body })[]> => {
  const entries = (await (await createVisitor(worker).fetch("/api/transparency/chain")).json()) as Entry[];
  return entries.map((entry) => ({ ...entry, parsed: JSON.parse(entry.body) as Body }));
};
const actions = async () => (await chain()).map((entry) => entry.parsed.action);

async function file(by: TestMember, subject: TestMember, category = "harassment", more: object = {}) {
  const response = await by.send("POST", "/api/report", { subjectProfileId: subject.id, category, ...more });
  expect(response.status).toBe(201);
  const filed = (await response.json()) as { id: number; receipt: string };
  const [found] = await worker.run({ query: "select case_ref from report where subject_id = ?", values: [subject.id] });
  return { ...filed, caseRef: String(found![0]!.case_ref) };
}

describe("an undecided case", () => {
  it("changes nothing that its subject can request", async () => {
    await createJuryPool(worker.run);
    const [subject, reporter] = [await createMember(worker), await createMember(worker)];
    const visitor = createVisitor(worker);
    const readAll = async () => {
      const responses = [
        subject.fetch("/api/transparency/chain"),
        subject.fetch("/api/transparency"),
        subject.fetch("/api/standing"),
        subject.fetch(`/api/notifications/${subject.id}`),
        visitor.fetch("/api/transparency/chain"),
        visitor.fetch("/api/transparency"),
      ];
      return Promise.all(responses.map(async (response) => (await response).text()));
    };
    const before = await readAll();
    const { caseRef } = await file(reporter, subject);
    await file(await createMember(worker), subject, "harassment", { text: "I saw it too" });
    expect(await readAll()).toEqual(before);
    expect(await subject.get(`/api/transparency/case/${caseRef}`)).toEqual([]);
    await castVotes((await listSummonedJurors(worker)).slice(0, 8), () => guilty("suspend_30"));
    expect(await readAll()).toEqual(before);
    // A recommendation that waits for staff is not a decision.
    await worker.runCron("* * * * *", Date.now() + DAY_MS + 60_000);
    expect(await readAll()).toEqual(before);
    expect(await subject.get(`/api/transparency/case/${caseRef}`)).toEqual([]);
  });
});

describe("a decided case", () => {
  it("is fully in the public record, by days, and its subject can verify it", async () => {
    await createJuryPool(worker.run);
    const [subject, reporter] = [await createMember(worker), await createMember(worker)];
    const { caseRef, receipt } = await file(reporter, subject);
    await castVotes(await listSummonedJurors(worker), () => guilty("suspend_3"));
    expect(await actions()).toEqual([
      "report.filed",
      "jury.seated",
      "jury.verdict",
      "action.suspend",
      "report.decided",
    ]);
    const entries = await chain();
    for (const { parsed } of entries) expect(parsed.ts).toMatch(/T00:00:00\.000Z$/);
    expect(entries[0]!.parsed.details).toEqual({ rule: "harassment", filed: receipt });
    expect(JSON.stringify(entries)).not.toContain("source");
    const own = await subject.get<(Entry & { salt: string; details: string })[]>(`/api/transparency/case/${caseRef}`);
    expect(own.map((entry) => entry.hash)).toEqual(entries.map((entry) => entry.hash));
    // The entry about the jury's seats has no private part for anybody.
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

  it("does not show its subject the text of a personal message, which would reveal the reporter", async () => {
    await createJuryPool(worker.run);
    const [subject, reporter] = [await createMember(worker), await createMember(worker)];
    const sent = await subject.send("POST", "/api/message", {
      recipientProfileId: reporter.id,
      bodyText: "Only to you",
    });
    const { id } = (await sent.json()) as { id: number };
    await file(reporter, subject, "harassment", { source: "message", sourceId: id });
    await castVotes(await listSummonedJurors(worker), () => guilty("warn"));
    const standing = await subject.get<{ actions: { evidence: object[] }[] }>("/api/standing");
    expect(standing.actions[0]!.evidence).toEqual([{ kind: "message", text: "" }]);
    expect(JSON.stringify(standing)).not.toContain("Only to you");
  });

  it("notifies a cleared member, who finds it in the record", async () => {
    await createJuryPool(worker.run);
    const [subject, reporter] = [await createMember(worker), await createMember(worker)];
    const { caseRef } = await file(reporter, subject);
    await castVotes(await listSummonedJurors(worker), () => innocent);
    expect(await subject.get(`/api/transparency/case/${caseRef}`)).toHaveLength(4);
    expect(JSON.stringify(await subject.get(`/api/notifications/${subject.id}`))).toContain("you broke no rule");
  });
});

describe("an entry", () => {
  it("cannot be removed from the public chain", async () => {
    const [subject, admin] = [await createMember(worker), await createMember(worker, { adminBrand: "ember" })];
    await admin.get(`/api/admin/member/${subject.id}`);
    const { DB } = worker.env;
    await expect(DB.prepare("update public_entry set action = 'x'").run()).rejects.toThrow(/append-only/);
    await expect(DB.prepare("delete from public_entry").run()).rejects.toThrow(/append-only/);
  });
});
