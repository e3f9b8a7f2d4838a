import { ALL_BRANDS_MASK } from "@lambda/brands";
import { createMember, type TestMember } from "@lambda/testing/member";
import { startWorker } from "@lambda/testing/worker";
import { expect, it } from "vitest";

it("joins further reports about a member, and gives each reporter a number of their own", async () => {
  const worker = await startWorker();
  const [me, other, subject] = [await createMember(worker), await createMember(worker), await createMember(worker)];
  const report = async (by: typeof me, text: string) => {
    const response = await by.send("POST", "/api/report", { subjectProfileId: subject.id, category: "spam", text });
    expect(response.status).toBe(201);
    return (await response.json()) as { id: number; isRepeated: boolean; receipt: string };
  };
  const first = await report(me, "He sends the same link to everybody.");
  expect(first.isRepeated).toBe(false);
  expect(await report(me, "And again today.")).toMatchObject({ id: first.id, isRepeated: true });
  const second = await report(other, "A link, to me too.");
  expect(second.isRepeated).toBe(false);
  const [filings] = await worker.run({
    query: "select reporter_id, text from report_filing order by ts_created, rowid = report_id desc",
  });
  expect(filings).toEqual([
    { reporter_id: me.id, text: "He sends the same link to everybody.\nAnd again today." },
    { reporter_id: other.id, text: "A link, to me too." },
  ]);
  // Nothing that the two get is the same, so that comparing it does not tell them that they reported the same member.
  const shown = [await me.get<object[]>("/api/reports/mine"), await other.get<object[]>("/api/reports/mine")];
  expect(shown.map((items) => items.length)).toEqual([1, 1]);
  const [mine, theirs] = shown.map(([item]) => item as Record<string, unknown>);
  expect([mine!.id, theirs!.id, mine!.receipt, theirs!.receipt]).toEqual([
    first.id,
    second.id,
    first.receipt,
    second.receipt,
  ]);
  expect([mine!.caseRef, theirs!.caseRef]).toEqual([null, null]);
  expect(new Set([first.id, second.id, first.receipt, second.receipt])).toHaveLength(4);

  // And the subject cannot tell from accounts of their own whether somebody had reported them before.
  const appeal = async (by: TestMember, id: number) =>
    (await by.send("POST", `/api/report/${id}/appeal`, { text: "Please look again, it goes on." })).status;
  expect([await appeal(subject, first.id), await appeal(subject, second.id)]).toEqual([404, 404]);

  // And neither can look the other's up, not even when the case is decided.
  const admin = await createMember(worker, { adminBrand: "ember", hidden: true });
  expect((await admin.send("POST", `/api/admin/report/${first.id}/dismiss`, { reason: "Nothing there" })).status).toBe(
    200,
  );
  expect([await appeal(me, second.id), await appeal(other, first.id)]).toEqual([404, 404]);
  expect(await appeal(subject, second.id)).toBe(404);
  const [decided] = await other.get<{ id: number; caseRef: string }[]>("/api/reports/mine");
  expect(decided).toMatchObject({ id: second.id, caseRef: expect.any(String) });
  const chain = JSON.stringify(await other.get(`/api/transparency/case/${decided!.caseRef}`));
  expect([first.receipt, second.receipt].filter((receipt) => chain.includes(receipt))).toHaveLength(2);
  expect(await appeal(other, second.id)).toBe(201);
});

it("tells a reporter nothing about what others report or are told in the meantime", async () => {
  const worker = await startWorker();
  const [decoy, shill, victim, insulter] = await Promise.all([1, 2, 3, 4].map(() => createMember(worker)));
  const admin = await createMember(worker, { adminBrand: "ember", hidden: true });
  const file = async (by: TestMember, subject: TestMember) => {
    const response = await by.send("POST", "/api/report", { subjectProfileId: subject.id, category: "threat" });
    return (await response.json()) as { id: number };
  };
  const warn = (reportId: number, subject: TestMember) =>
    admin.send("POST", "/api/admin/action", {
      subjectProfileId: subject.id,
      kind: "warn",
      rule: "threat",
      reason: "A threat",
      reportId,
    });
  /** The distances between the ids that the decoys read before and after something happens. */
  const watch = async (happens: () => Promise<unknown>) => {
    const subjects = [await createMember(worker), await createMember(worker)];
    const ids: number[][] = [];
    for (const subject of subjects) {
      if (subject === subjects[1]) await happens();
      const { id } = await file(decoy!, subject);
      expect((await warn(id, subject)).status).toBe(201);
      await shill!.send("PUT", "/api/profile-like", { likedProfileId: subject.id, likeType: "LIKE" });
      const { actions } = await subject.get<{ actions: { id: number; reportId: number }[] }>("/api/standing");
      const [liked] = await subject.get<{ id: number; tsCreated: string }[]>(`/api/notifications/${subject.id}`);
      ids.push([id, actions[0]!.id, actions[0]!.reportId, liked!.id - 1000 * Date.parse(liked!.tsCreated)]);
    }
    return ids[1]!.map((id, at) => id - ids[0]![at]!);
  };
  const quiet = await watch(async () => undefined);
  const busy = await watch(async () => warn((await file(victim!, insulter!)).id, insulter!));
  for (const [report, action, reportOfAction, notification] of [quiet, busy]) {
    expect(notification).toBe(0);
    for (const distance of [report!, action!, reportOfAction!]) expect(Math.abs(distance)).toBeGreaterThan(1e6);
  }
  const [stored] = await worker.run({
    query: "select id from report union all select id from evidence union all select id from moderation_action",
  });
  expect(stored!.length).toBeGreaterThan(10);
  for (const { id } of stored as { id: number }[]) expect(id).toBeGreaterThan(1e6);
});

it("goes to the subject's home from a brand that does not have the subject, so that no reporter chooses the staff and the jury", async () => {
  const worker = await startWorker();
  const [accomplice, subject, shared] = [
    await createMember(worker, { sharedOn: ALL_BRANDS_MASK }),
    await createMember(worker, { description: "What only Ember shows" }),
    await createMember(worker, { sharedOn: ALL_BRANDS_MASK }),
  ];
  const staff = {
    ember: await createMember(worker, { adminBrand: "ember" }),
    harbor: await createMember(worker, { brand: "harbor", adminBrand: "harbor" }),
  };
  await accomplice.send("PUT", "/api/profile-like", { likedProfileId: subject.id, blocked: true });
  const elsewhere = await accomplice.onBrand("harbor");
  for (const { id } of [subject, shared]) {
    const draft = { subjectProfileId: id, category: "threat", text: "He threatens me." };
    expect((await elsewhere.send("POST", "/api/report", draft)).status).toBe(201);
  }
  const queueOf = async (admin: TestMember) =>
    (await admin.get<{ subjectProfileId: number }[]>("/api/admin/reports")).map((entry) => entry.subjectProfileId);
  expect(await queueOf(staff.ember)).toEqual([subject.id]);
  expect(await queueOf(staff.harbor)).toEqual([shared.id]);
});
