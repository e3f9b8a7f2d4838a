import { ALL_BRANDS_MASK } from "@lambda/brands";
import { createMember, type TestMember } from "@lambda/testing/member";
import { uploadPicture } from "@lambda/testing/pictures";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { beforeAll, describe, expect, it } from "vitest";

let worker: TestWorker;
let admin: TestMember;
let owner: TestMember;
let sisterMember: TestMember;
beforeAll(async () => {
  worker = await startWorker();
  admin = await createMember(worker, { adminBrand: "ember", hidden: true });
  owner = await createMember(worker);
  sisterMember = await createMember(worker, { brand: "harbor", sharedOn: ALL_BRANDS_MASK });
});

const first = <Row>(sql: string, ...values: unknown[]) =>
  worker.env.DB.prepare(sql)
    .bind(...values)
    .first<Row>();
const hide = (subject: TestMember, pictureId: number, rest: object = {}) =>
  admin.send("POST", "/api/admin/action", {
    subjectProfileId: subject.id,
    kind: "hide_picture",
    rule: "intimate",
    reason: "Let me see",
    pictureId,
    ...rest,
  });
const fetchStatuses = async (id: number) => {
  const paths = [`/api/profile-pic/${id}`, `/api/profile-pic/nsfw/${id}`, `/api/profile/pic/${id}?orig=1`];
  return Promise.all(paths.map(async (path) => (await admin.fetch(path)).status));
};
const ALL_NOT_FOUND = [404, 404, 404];
const evidenceOf = (pictureId: number) =>
  first<{ id: number }>("select id from evidence where kind = 'picture' and source_id = ?", pictureId);
const viewCount = async () =>
  (await first<{ n: number }>("select count(*) n from audit_entry where action = 'staff.evidence_viewed'"))?.n;

describe("staff who hide a picture in order to see it", () => {
  it.each([
    ["private", "a member's", () => owner],
    ["chat", "a member's", () => owner],
    ["private", "a sister brand's", () => sisterMember],
    ["chat", "a sister brand's", () => sisterMember],
  ] as const)("see nothing of a %s picture of %s", async (audience, _, of) => {
    const { id } = await uploadPicture(of(), { audience });
    expect(await fetchStatuses(id)).toEqual(ALL_NOT_FOUND);
    expect((await hide(of(), id)).status).toBe(404);
    expect(await fetchStatuses(id)).toEqual(ALL_NOT_FOUND);
    // Hiding the picture in another way does not help either.
    await first("update picture set hidden_by_staff = 1 where id = ?", id);
    expect(await fetchStatuses(id)).toEqual(ALL_NOT_FOUND);
    expect(await evidenceOf(id)).toBeNull();
    expect((await of().fetch(`/api/profile-pic/nsfw/${id}`)).status).toBe(200);
  });

  it("cannot see a picture through a case about something else", async () => {
    const { id } = await uploadPicture(owner, { audience: "private" });
    const filed = await sisterMember.send("POST", "/api/report", {
      subjectProfileId: owner.id,
      category: "threat",
      text: "See his profile",
    });
    expect(filed.status).toBe(404);
    const reporter = await createMember(worker);
    await reporter.send("POST", "/api/report", { subjectProfileId: owner.id, category: "threat", text: "See above" });
    const report = await first<{ id: number }>(
      "select id from report where subject_id = ? and category = 'threat'",
      owner.id,
    );
    expect((await hide(owner, id, { reportId: report?.id })).status).toBe(404);
    expect(await fetchStatuses(id)).toEqual(ALL_NOT_FOUND);
  });

  it("cannot hide a public picture of a hidden member, which nobody else can see", async () => {
    const shy = await createMember(worker);
    const { id } = await uploadPicture(shy);
    await first("update profile set hidden = 1 where id = ?", shy.id);
    expect((await hide(shy, id)).status).toBe(404);
    expect(await evidenceOf(id)).toBeNull();
  });
});

it("staff who act on a member whom nobody sees get no copy of the profile", async () => {
  const shy = await createMember(worker);
  await first("update profile set description = 'Only for me', hidden = 1 where id = ?", shy.id);
  const warning = { kind: "warn", rule: "spam", reason: "Let me see" };
  const warn = async (subject: TestMember) =>
    (await admin.send("POST", "/api/admin/action", { subjectProfileId: subject.id, ...warning })).status;
  const copyOf = (subject: TestMember) =>
    first("select kind from evidence where kind = 'profile' and source_id = ?", subject.id);
  expect([await warn(shy), await copyOf(shy)]).toEqual([201, null]);
  expect([await warn(owner), await copyOf(owner)]).toEqual([201, { kind: "profile" }]);
});

describe("a picture that members can see", () => {
  it("is hidden from everybody but its owner; staff see its frozen copy, and each view is logged", async () => {
    const { id } = await uploadPicture(owner);
    expect((await hide(owner, id)).status).toBe(201);
    expect(await fetchStatuses(id)).toEqual(ALL_NOT_FOUND);
    const evidence = await evidenceOf(id);
    const before = (await viewCount()) ?? 0;
    expect((await admin.fetch(`/api/evidence/${evidence?.id}`)).status).toBe(200);
    expect(await viewCount()).toBe(before + 1);
    expect(await first("select actor_id, subject_id from audit_private order by seq desc limit 1")).toEqual({
      actor_id: admin.id,
      subject_id: owner.id,
    });

    const foreign = await createMember(worker, { brand: "harbor", adminBrand: "harbor" });
    expect((await foreign.fetch(`/api/evidence/${evidence?.id}`)).status).toBe(404);
    expect(await viewCount()).toBe(before + 1);

    const action = await first<{ id: number }>("select id from moderation_action where picture_id = ?", id);
    expect((await admin.send("POST", `/api/admin/action/${action?.id}/lift`)).status).toBe(200);
    expect((await (await createMember(worker)).fetch(`/api/profile-pic/nsfw/${id}`)).status).toBe(200);
  });

  it("in a private album can be hidden as evidence of a case in scope, which opens it to nobody", async () => {
    const { id } = await uploadPicture(owner, { audience: "private" });
    const reporter = await createMember(worker);
    expect((await owner.send("PUT", "/api/album-grant", { memberProfileId: reporter.id })).status).toBe(200);
    const report = {
      subjectProfileId: owner.id,
      category: "minor",
      source: "picture",
      sourceId: id,
      text: "He is no adult",
    };
    expect((await reporter.send("POST", "/api/report", report)).status).toBe(201);
    expect((await hide(owner, id)).status).toBe(201);
    expect(await fetchStatuses(id)).toEqual(ALL_NOT_FOUND);
    expect((await reporter.fetch(`/api/profile-pic/nsfw/${id}`)).status).toBe(404);
  });
});
