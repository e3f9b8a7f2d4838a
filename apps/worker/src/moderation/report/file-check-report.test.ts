import type { CaseFile, QueueEntry } from "@lambda/contract/admin";
import type { OwnPersonCheck } from "@lambda/contract/person-check";
import { createCrowd } from "@lambda/testing/judges";
import { createMember, type TestMember } from "@lambda/testing/member";
import { createJudges, createPictured, drawItems, findSeat, handIn, look } from "@lambda/testing/scenes/person-check";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { beforeEach, expect, it } from "vitest";

let worker: TestWorker;
let man: TestMember;
let admin: TestMember;
beforeEach(async () => {
  worker = await startWorker();
  man = await createPictured(worker);
  admin = await createMember(worker, { adminBrand: "ember" });
});

const run = (query: string, ...values: (string | number)[]) => worker.run({ query, values });
const all = async (query: string) => (await worker.env.DB.prepare(query).all()).results;
const report = (by: TestMember, itemId: number, category = "explicit") =>
  by.send("POST", "/api/games/ishim/report", { itemId, category, text: "A boy." });
const stateOf = async (by: TestMember) => (await by.get<OwnPersonCheck>("/api/person-check")).state;

/** The item of the check, of which the judge has read all pictures. */
async function see(judge: TestMember): Promise<number> {
  const { itemId } = (await findSeat(worker, judge))!;
  expect(await look(judge, itemId)).toEqual(Array(6).fill(200));
  return itemId;
}

it("takes a check out of the judges' hands and brings its stills before the member's staff, without a name", async () => {
  const judges = await createJudges(worker, 3);
  await createCrowd(worker);
  await handIn(man);
  const [judge, other] = judges as [TestMember, TestMember];
  const itemId = (await findSeat(worker, judge))!.itemId;
  expect((await report(judge, itemId, "minor")).status).toBe(404);
  await see(judge);
  expect((await findSeat(worker, other)) !== undefined).toBe(true);
  const filed = await report(judge, itemId, "minor");
  expect([filed.status, await filed.json()]).toEqual([200, {}]);
  expect((await report(judge, itemId, "minor")).status).toBe(404);
  expect(await stateOf(man)).toBe("staff");
  expect(await findSeat(worker, other)).toBeUndefined();
  // The stills are kept for staff even if the member ends the check.
  await man.send("POST", "/api/person-check/withdraw");
  // Or an accomplice's report would give any number of draws.
  expect(await man.get("/api/person-check")).toMatchObject({ refusals: 1, tsAgain: expect.any(String) });
  expect(await all("select id from picture where audience = 'once'")).toEqual([]);
  const [waiting, ...more] = await admin.get<QueueEntry[]>("/api/admin/reports");
  expect([waiting, more]).toMatchObject([{ subjectProfileId: man.id, category: "minor", filings: 1 }, []]);
  const file = await admin.get<CaseFile>(`/api/admin/report/${waiting!.id}`);
  expect(file.evidence.filter(({ hasPicture }) => hasPicture).length).toBeGreaterThan(3);
  expect(await all("select distinct staff_only from evidence where kind = 'picture'")).toEqual([{ staff_only: 1 }]);
  expect(await all("select count(*) holds from legal_hold")).toEqual([{ holds: 1 }]);
  const elsewhere = await createMember(worker, { adminBrand: "harbor", brand: "harbor" });
  expect(await elsewhere.get("/api/admin/reports")).toEqual([]);
  // Nothing names the judge, and the judge learns nothing of whom it was.
  expect(await all("select reporter_id from report_filing")).toEqual([{ reporter_id: null }]);
  expect(await judge.get("/api/reports/mine")).toEqual([]);
});

it("tells a judge by no second report whom the first was about", async () => {
  const [judge] = await createJudges(worker, 1);
  await createCrowd(worker);
  await handIn(man);
  await run("update profile set shared_on = 7");
  await report(judge!, await see(judge!), "spam");
  // As if the judge wrote on the other brand.
  await run("update report set brand = 'harbor'");
  const guess = await judge!.send("POST", "/api/report", { subjectProfileId: man.id, category: "spam", text: "Spam." });
  expect([guess.status, await guess.json()]).toMatchObject([201, { isRepeated: false }]);
});

it("counts a judge once, however often and at once the report is sent", async () => {
  const [judge] = await createJudges(worker, 1);
  await createCrowd(worker);
  await handIn(man);
  const itemId = await see(judge!);
  const filed = await Promise.all([1, 2, 3].map(() => report(judge!, itemId)));
  expect(filed.map(({ status }) => status).sort()).toEqual([200, 404, 404]);
  expect(await all("select filings from report")).toEqual([{ filings: 1 }]);
  expect(await all("select credibility from report_filing")).toEqual([{ credibility: 0.5 }]);
});

it("leaves a check with the judges after a report of one whose answers would not count, or who took out another this week", async () => {
  const [unproven, again] = (await createJudges(worker, 2)) as [TestMember, TestMember];
  await createCrowd(worker);
  await handIn(man);
  await run("update game_record set known = '{}', proven = 0 where profile_id = ?", unproven.id);
  const caseOf = async (member: TestMember) =>
    (await admin.get<QueueEntry[]>("/api/admin/reports")).find(
      ({ subjectProfileId }) => subjectProfileId === member.id,
    );
  expect((await report(unproven, await see(unproven))).status).toBe(200);
  expect([await stateOf(man), await caseOf(man)]).toEqual(["judging", expect.objectContaining({ filings: 1 })]);
  expect((await report(again, await see(again))).status).toBe(200);
  expect([await stateOf(man), await caseOf(man)]).toEqual(["staff", expect.objectContaining({ filings: 2 })]);
  const next = await createPictured(worker);
  await handIn(next);
  expect((await report(again, await see(again))).status).toBe(200);
  expect([await stateOf(next), await caseOf(next)]).toEqual(["judging", expect.objectContaining({ filings: 1 })]);
});

it("counts a new account's reports of exercises as any other: once for each member", async () => {
  for (let count = 0; count < 3; count += 1) {
    const shown = await createPictured(worker, { pictures: 4 });
    await run(
      `insert into person_check (profile_id, state, pose, compared, ts_started, ts_decided, ts_checked)
       select ?1, 'him', '{}', json_group_array(id || ':' || version), 1, 1, ${Date.now()} from picture where profile_id = ?1`,
      shown.id,
    );
  }
  const fresh = await createMember(worker, { created: Date.now() });
  const items = await drawItems(fresh);
  expect(items.length).toBeGreaterThan(1);
  for (const { itemId } of items) {
    await look(fresh, itemId);
    const filed = await report(fresh, itemId);
    expect([filed.status, await filed.json()]).toEqual([200, {}]);
  }
  const filings = await all("select report_id, count(*) n from report_filing group by 1");
  expect(new Set(filings.map(({ n }) => n))).toEqual(new Set([1]));
  expect(await drawItems(fresh)).not.toContainEqual(items[0]);
});
