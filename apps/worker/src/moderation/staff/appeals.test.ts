/** Cases that only staff decide, from the report to the last appeal. */
import { createJuryPool } from "@lambda/testing/jury-pool";
import { createMember, logIn, type TestMember } from "@lambda/testing/member";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { beforeEach, describe, expect, it } from "vitest";

let worker: TestWorker;
beforeEach(async () => {
  worker = await startWorker();
});

interface OwnRecord {
  actions: { reportId: number; kind: string; appeal: { allowed: boolean } }[];
}
interface Filed {
  id: number;
  outcome: string | null;
  appeal: { allowed: boolean; pending: boolean; result: string | null };
}

async function threatCase() {
  const subject = await createMember(worker, { name: "Subject" });
  const reporter = await createMember(worker);
  const admin = await createMember(worker, { adminBrand: "ember" });
  const filed = await reporter.send("POST", "/api/report", {
    subjectProfileId: subject.id,
    category: "threat",
    text: "He threatened me.",
  });
  return { subject, reporter, admin, id: ((await filed.json()) as Filed).id };
}

const dismiss = (admin: TestMember, id: number) =>
  admin.send("POST", `/api/admin/report/${id}/dismiss`, { reason: "Nothing there" });
const act = (admin: TestMember, subject: TestMember, more: object = {}) =>
  admin.send("POST", "/api/admin/action", {
    subjectProfileId: subject.id,
    kind: "warn",
    rule: "threat",
    reason: "A threat after all",
    ...more,
  });
const appeal = (by: TestMember, id: number) =>
  by.send("POST", `/api/report/${id}/appeal`, { text: "Please look at this once more, all of it." });
const judge = (admin: TestMember, id: number, reversed: boolean) =>
  admin.send("POST", `/api/admin/report/${id}/appeal`, { reversed });
const notificationTexts = async (member: TestMember, kind: string) => {
  const list = await worker.env.DB.prepare("select body_text from notification where profile_id = ? and kind = ?")
    .bind(member.id, kind)
    .all<{ body_text: string }>();
  return list.results.map((row) => row.body_text);
};
const mine = async (reporter: TestMember) => (await reporter.get<Filed[]>("/api/reports/mine"))[0];

describe("an appeal that waits for staff", () => {
  it("by a reporter is granted by an action, which the subject can appeal in turn", async () => {
    const { subject, reporter, admin, id } = await threatCase();
    expect((await dismiss(admin, id)).status).toBe(200);
    expect((await appeal(reporter, id)).status).toBe(201);
    expect((await judge(admin, id, true)).status).toBe(409);
    expect(await admin.get(`/api/admin/report/${id}`)).toMatchObject({
      appeals: [{ side: "reporter", forStaff: true }],
    });
    expect((await act(admin, subject, { kind: "suspend", days: 7, reportId: id })).status).toBe(201);

    expect(await mine(reporter)).toMatchObject({ outcome: "suspend", appeal: { pending: false, result: "reversed" } });
    expect(await notificationTexts(reporter, "appeal")).toContain("The appeal changed the decision.");
    const { actions } = await subject.get<OwnRecord>("/api/standing");
    expect(actions).toMatchObject([{ reportId: id, kind: "suspend", appeal: { allowed: true } }]);
    expect(await reporter.get("/api/transparency")).toMatchObject({ decided: 1, appeals: 1, reversals: 1 });

    expect((await appeal(subject, id)).status).toBe(201);
    const second = await createMember(worker, { adminBrand: "ember" });
    expect((await judge(second, id, true)).status).toBe(200);
    expect((await subject.fetch("/api/profiles/mine")).status).toBe(200);
    expect(await mine(reporter)).toMatchObject({ outcome: "none", appeal: { allowed: false } });
  });

  it("notifies both sides of its result", async () => {
    const { subject, reporter, admin, id } = await threatCase();
    await dismiss(admin, id);
    await appeal(reporter, id);
    expect((await judge(admin, id, false)).status).toBe(200);
    expect(await notificationTexts(reporter, "appeal")).toEqual(["The appeal confirmed the decision."]);
    expect(await notificationTexts(subject, "appeal")).toContain("The appeal confirmed the decision.");
    expect(await mine(reporter)).toMatchObject({ outcome: "none", appeal: { allowed: false, result: "upheld" } });
  });

  it("cannot be judged by the admin who decided the case, unless there is no other", async () => {
    const { subject, admin, id } = await threatCase();
    await act(admin, subject, { reportId: id });
    await appeal(subject, id);
    await createMember(worker, { brand: "harbor", adminBrand: "harbor" });
    await createMember(worker, { adminBrand: "ember", status: "suspended" });
    const second = await createMember(worker, { adminBrand: "*" });
    expect((await judge(admin, id, false)).status).toBe(403);
    await worker.env.DB.prepare("update account set admin_brand = null where id = ?").bind(second.id).run();
    expect((await judge(admin, id, false)).status).toBe(200);
    expect((await judge(admin, id, false)).status).toBe(404);
  });

  it("by a network admin is not left to admins of a brand or to the appellant", async () => {
    const { subject, id } = await threatCase();
    const decider = await createMember(worker, { adminBrand: "*" });
    await worker.env.DB.prepare("update account set admin_brand = '*' where id = ?").bind(subject.id).run();
    expect((await act(decider, subject, { reportId: id })).status).toBe(201);
    expect((await appeal(subject, id)).status).toBe(201);
    expect((await judge(subject, id, true)).status).toBe(404);
    expect((await judge(decider, id, false)).status).toBe(200);
  });
});

describe("staff decisions", () => {
  it("on a decided case open a new case with its own time to appeal", async () => {
    const { subject, reporter, admin, id } = await threatCase();
    await dismiss(admin, id);
    const response = await act(admin, subject, { reportId: id });
    expect(response.status).toBe(201);
    expect(await response.json()).toMatchObject({ kind: "warn", rule: "threat", byJury: false, tsLifted: null });
    const { actions } = await subject.get<OwnRecord>("/api/standing");
    expect(actions).toMatchObject([{ kind: "warn", appeal: { allowed: true } }]);
    expect(actions[0]?.reportId).not.toBe(id);
    expect(await mine(reporter)).toMatchObject({ outcome: "none", appeal: { allowed: true } });
  });

  it("without a case leave none behind when the action fails", async () => {
    const [subject, admin] = [await createMember(worker), await createMember(worker, { adminBrand: "ember" })];
    const { DB } = worker.env;
    await DB.exec("create trigger broken before insert on moderation_action begin select raise(abort, 'broken'); end");
    const failed = await act(admin, subject, { kind: "ban" });
    await DB.exec("drop trigger broken");
    const cases = async () =>
      (
        await DB.prepare(
          `select r.outcome, a.kind, (select count(*) from report_filing where report_id = r.id) as filings,
            (select count(*) from evidence where report_id = r.id) as evidence
          from report r left join moderation_action a on a.report_id = r.id`,
        ).all()
      ).results;
    expect([failed.status, await cases()]).toEqual([500, []]);
    expect((await act(admin, subject, { kind: "ban" })).status).toBe(201);
    expect(await cases()).toEqual([{ outcome: "ban", kind: "ban", filings: 1, evidence: 1 }]);
  });

  it("are made once, however many admins act concurrently", async () => {
    const { subject, admin, id } = await threatCase();
    const others = await Promise.all([1, 2].map(() => createMember(worker, { adminBrand: "ember" })));
    const dismissed = await Promise.all([admin, ...others].map((by) => dismiss(by, id)));
    expect(dismissed.map((response) => response.status).sort()).toEqual([200, 409, 409]);
    const warned = (await (await act(admin, subject)).json()) as { id: number };
    const lift = (by: TestMember) => by.send("POST", `/api/admin/action/${warned.id}/lift`);
    const lifted = await Promise.all([admin, ...others].map(lift));
    expect(lifted.filter((response) => response.status === 200)).toHaveLength(1);
    expect(lifted.every((response) => [200, 404, 409].includes(response.status))).toBe(true);
    const { results } = await worker.env.DB.prepare(
      "select action, count(*) n from audit_entry where action in ('report.decided', 'lift.warn') group by 1 order by 1",
    ).all();
    expect(results).toEqual([
      { action: "lift.warn", n: 1 },
      { action: "report.decided", n: 1 },
    ]);
  });

  it("excuse the jury that sat on the case", async () => {
    await createJuryPool(worker.run);
    const [subject, reporter] = [await createMember(worker), await createMember(worker)];
    const admin = await createMember(worker, { adminBrand: "ember" });
    const filed = await reporter.send("POST", "/api/report", { subjectProfileId: subject.id, category: "spam" });
    const { id } = (await filed.json()) as Filed;
    const juror = await worker.env.DB.prepare("select jury_id, profile_id from juror order by profile_id").first<{
      jury_id: number;
      profile_id: number;
    }>();
    const summonses = () => worker.env.DB.prepare("select count(*) n from juror where state = 'summoned'").first();
    expect(await summonses()).toEqual({ n: 9 });
    expect((await dismiss(admin, id)).status).toBe(200);
    expect(await summonses()).toEqual({ n: 0 });

    // A leftover summons to a closed jury cannot be used and draws no replacement.
    await worker.env.DB.prepare("update juror set state = 'summoned' where profile_id = ?")
      .bind(juror!.profile_id)
      .run();
    const summoned = await logIn(worker, juror!.profile_id);
    expect((await summoned.send("POST", `/api/arbitration/${juror!.jury_id}/recuse`)).status).toBe(404);
    expect(await worker.env.DB.prepare("select count(*) n from juror").first()).toEqual({ n: 9 });
  });
});
