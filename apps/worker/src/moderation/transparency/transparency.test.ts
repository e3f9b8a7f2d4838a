/** What the public record reveals about a case before and after its decision, and how an omission is detected. */
import { DAY_MS } from "@lambda/contract/limits";
import { castVotes, guilty, innocent, listSummonedJurors } from "@lambda/testing/juries";
import { createJuryPool } from "@lambda/testing/jury-pool";
import { createMember, logIn, type TestMember } from "@lambda/testing/member";
import { createVisitor } from "@lambda/testing/visitor";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { beforeEach, describe, expect, it } from "vitest";
import { sha256 } from "../../platform/hash.ts";

const NIGHTLY = "17 3 * * *";

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
  return (await response.json()) as { id: number; caseRef: string; receipt: string };
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

  it("makes the nightly entry look the same as without a case", async () => {
    const [subject, reporter, admin] = [
      await createMember(worker),
      await createMember(worker),
      await createMember(worker, { adminBrand: "ember" }),
    ];
    await admin.get(`/api/admin/member/${subject.id}`);
    await worker.runCron(NIGHTLY, Date.now() + DAY_MS);
    // The nightly run ended all sessions.
    await file(await logIn(worker, reporter.id), subject, "threat");
    await worker.env.DB.prepare("drop trigger audit_entry_unchangeable").run();
    await worker.env.DB.prepare("update audit_entry set ts = ts + ? where action = 'report.filed'").bind(DAY_MS).run();
    await worker.env.DB.prepare(
      `create trigger audit_entry_unchangeable before update on audit_entry begin
       select raise(abort, 'the audit log is append-only'); end`,
    ).run();
    await worker.runCron(NIGHTLY, Date.now() + 2 * DAY_MS);
    const days = (await chain()).filter((entry) => entry.parsed.action === "day.committed");
    expect(days).toHaveLength(2);
    const shape = ({ parsed }: { parsed: Body }) => [
      Object.keys(parsed.details),
      String(parsed.details.commitment).length,
    ];
    expect(shape(days[1]!)).toEqual(shape(days[0]!));
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

describe("an omitted case", () => {
  /**
   * Verifies the chain as a reader does: each opened day matches its commitment, and each hash in it has a published
   * case.
   */
  async function check(): Promise<{ opened: number; missing: string[]; broken: string[] }> {
    const entries = await chain();
    const published = new Set(entries.map(({ parsed }) => parsed.details.filed));
    const committed = new Map(
      entries
        .filter(({ parsed }) => parsed.action === "day.committed")
        .map(({ parsed }) => [parsed.details.day, parsed.details.commitment]),
    );
    const result = { opened: 0, missing: [] as string[], broken: [] as string[] };
    for (const { parsed } of entries.filter((entry) => entry.parsed.action === "day.opened")) {
      const { day, salt, cases } = parsed.details as Record<string, string>;
      const listed = cases === "" ? [] : cases!.split(" ");
      result.opened += 1;
      if ((await sha256(`${salt}\n${JSON.stringify(listed)}`)) !== committed.get(day!)) result.broken.push(day!);
      result.missing.push(...listed.filter((hash) => !published.has(hash)));
    }
    return result;
  }

  it("keeps its day from being opened, and its hash is in the day's commitment", async () => {
    const [subject, other, reporter] = [
      await createMember(worker),
      await createMember(worker),
      await createMember(worker),
    ];
    const admin = await createMember(worker, { adminBrand: "ember" });
    const one = await file(reporter, subject, "threat");
    const two = await file(reporter, other, "minor");
    await admin.send("POST", `/api/admin/report/${one.id}/dismiss`, { reason: "Nothing there" });
    await worker.runCron(NIGHTLY, Date.now() + DAY_MS);
    await worker.runCron(NIGHTLY, Date.now() + 20 * DAY_MS);
    expect(await check()).toEqual({ opened: 0, missing: [], broken: [] });
    await worker.runCron(NIGHTLY, Date.now() + 33 * DAY_MS);
    const waiting = await chain();
    expect(waiting.some((entry) => entry.parsed.action === "day.opened" && entry.body.includes(one.receipt))).toBe(
      false,
    );

    const later = await logIn(worker, admin.id);
    await later.send("POST", `/api/admin/report/${two.id}/dismiss`, { reason: "Nothing there" });
    await worker.runCron(NIGHTLY, Date.now() + 34 * DAY_MS);
    const after = await check();
    expect([after.missing, after.broken]).toEqual([[], []]);
    const opened = (await chain()).find(
      (entry) => entry.parsed.action === "day.opened" && entry.parsed.details.cases !== "",
    );
    expect(String(opened?.parsed.details.cases).split(" ").sort()).toEqual([one.receipt, two.receipt].sort());
  });

  it("is published as closed when its subject's account is purged", async () => {
    const [subject, reporter] = [await createMember(worker), await createMember(worker)];
    const { receipt } = await file(reporter, subject, "threat");
    await worker.runCron(NIGHTLY, Date.now() + DAY_MS);
    await worker.env.DB.prepare("delete from account where id = ?").bind(subject.id).run();
    await worker.runCron(NIGHTLY, Date.now() + 33 * DAY_MS);
    expect(await actions()).toEqual(expect.arrayContaining(["report.filed", "report.closed", "day.opened"]));
    const after = await check();
    expect([after.missing, after.broken]).toEqual([[], []]);
    expect((await chain()).some((entry) => String(entry.parsed.details.cases).includes(receipt))).toBe(true);
  });

  it("cannot be removed from the public chain", async () => {
    const [subject, admin] = [await createMember(worker), await createMember(worker, { adminBrand: "ember" })];
    await admin.get(`/api/admin/member/${subject.id}`);
    const { DB } = worker.env;
    await expect(DB.prepare("update public_entry set action = 'x'").run()).rejects.toThrow(/append-only/);
    await expect(DB.prepare("delete from public_entry").run()).rejects.toThrow(/append-only/);
  });
});
