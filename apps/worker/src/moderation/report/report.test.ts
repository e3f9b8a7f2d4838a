import { createMember, type TestMember } from "@lambda/testing/member";
import { startWorker } from "@lambda/testing/worker";
import { expect, it } from "vitest";

it("joins a second report by the same member to the first", async () => {
  const worker = await startWorker();
  const [me, other, subject] = [await createMember(worker), await createMember(worker), await createMember(worker)];
  const report = async (by: typeof me, text: string) => {
    const response = await by.send("POST", "/api/report", { subjectProfileId: subject.id, category: "spam", text });
    expect(response.status).toBe(201);
    return (await response.json()) as { id: number; isRepeated: boolean };
  };
  const first = await report(me, "He sends the same link to everybody.");
  expect(first.isRepeated).toBe(false);
  expect(await report(me, "And again today.")).toMatchObject({ id: first.id, isRepeated: true });
  expect(await report(other, "A link, to me too.")).toMatchObject({ id: first.id, isRepeated: false });
  const [filings] = await worker.run({ query: "select reporter_id, text from report_filing order by id" });
  expect(filings).toEqual([
    { reporter_id: me.id, text: "He sends the same link to everybody.\nAnd again today." },
    { reporter_id: other.id, text: "A link, to me too." },
  ]);
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
