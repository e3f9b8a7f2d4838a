/**
 * Pictures that look like a listed or removed one: what their owner, other members and staff see, from upload to
 * decision.
 */
import type { CaseFile } from "@lambda/contract/admin";
import { DAY_MS } from "@lambda/contract/limits";
import type { OwnPicture } from "@lambda/contract/pictures";
import { createMember, type TestMember } from "@lambda/testing/member";
import { postPicture, uploadPicture } from "@lambda/testing/pictures";
import { makeScenePng } from "@lambda/testing/scene-picture";
import { openSocket } from "@lambda/testing/socket";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { beforeEach, describe, expect, it } from "vitest";

const EVERY_MINUTE = "* * * * *";
const NIGHTLY = "17 3 * * *";

let worker: TestWorker;
let admin: TestMember;
let owner: TestMember;
let other: TestMember;
beforeEach(async () => {
  worker = await startWorker();
  admin = await createMember(worker, { adminBrand: "ember", hidden: true });
  owner = await createMember(worker);
  other = await createMember(worker);
});

const all = async <Row>(sql: string, ...values: unknown[]) =>
  (
    await worker.env.DB.prepare(sql)
      .bind(...values)
      .all<Row>()
  ).results;
const run = (query: string, ...values: (string | number)[]) => worker.run({ query, values });
const ownPictures = async (member = owner) =>
  (await member.get<OwnPicture[]>("/api/profile-pics/mine")).map(({ id }) => id);
const shownPictures = async () =>
  (await other.get<{ id: number }[]>(`/api/profile-pics/${owner.id}`)).map(({ id }) => id);
const fetchStatus = async (member: TestMember, id: number) =>
  (await member.fetch(`/api/profile-pic/nsfw/${id}`)).status;
const refusalOf = async (member: TestMember, bytes: Uint8Array) => {
  const response = await postPicture(member, bytes);
  return response.status === 403 && ((await response.json()) as { error: { reason: string } }).error.reason;
};
const cases = () => all<{ id: number; category: string; state: string }>("select * from report order by id");
const readCase = (id: number) => admin.get<CaseFile>(`/api/admin/report/${id}`);

/** Adds a scene's hash to a list, as the operator's command does. */
async function addToList(scene: number, rule = "minor"): Promise<void> {
  const somebody = await createMember(worker);
  const { id } = await uploadPicture(somebody, { bytes: makeScenePng(scene) });
  await run(
    `insert into known_picture (hash, source, rule, searched, ts_created)
     select hash, 'list:test', ?, 1, 1 from picture_hash where picture_id = ?`,
    rule,
    id,
  );
  await run("delete from picture where id = ?", id);
}

const act = (subject: TestMember, kind: string, rest: object) =>
  admin.send("POST", "/api/admin/action", {
    subjectProfileId: subject.id,
    kind,
    rule: "intimate",
    reason: "Not yours to show",
    ...rest,
  });

describe("an upload that matches a hash list", () => {
  it("gets the same response as any other, and only its owner can ever see it", async () => {
    await addToList(1);
    const before = await uploadPicture(owner, { bytes: makeScenePng(2) });
    const plain = await postPicture(owner, makeScenePng(3));
    const matched = await postPicture(owner, makeScenePng(1, { brightness: 12 }));
    expect(matched.status).toBe(plain.status);
    const headersOf = ({ headers }: Response) => [...headers.keys()].sort();
    expect(headersOf(matched)).toEqual(headersOf(plain));
    const [usual, held] = (await Promise.all([plain.json(), matched.json()])) as [OwnPicture, OwnPicture];
    const { id, placeholder, tsCreated, ...rest } = held;
    expect(rest).toEqual({ ...usual, id: undefined, placeholder: undefined, tsCreated: undefined });
    const after = await uploadPicture(owner, { bytes: makeScenePng(4) });

    const own = [before.id, usual.id, id, after.id];
    expect(await ownPictures()).toEqual(own);
    expect(await owner.get("/api/profiles/mine")).toMatchObject([{ profilePicIds: own }]);
    expect(await fetchStatus(owner, id)).toBe(200);
    expect(await shownPictures()).toEqual([before.id, usual.id, after.id]);
    expect(await fetchStatus(other, id)).toBe(404);
    expect(await fetchStatus(admin, id)).toBe(404);

    // The owner can reorder, move, mark and send it as usual.
    const order = { profilePicIds: [id, before.id, after.id], profilePicIdsPrivate: [usual.id] };
    expect((await owner.send("PUT", "/api/profile-pics", order)).status).toBe(200);
    expect(await ownPictures()).toEqual([id, before.id, after.id, usual.id]);
    expect(await shownPictures()).toEqual([before.id, after.id]);
    expect((await owner.send("PUT", `/api/profile-pic/${id}`, { nsfw: true })).status).toBe(200);
    const sent = await owner.send("POST", "/api/message", {
      recipientProfileId: other.id,
      bodyText: "Look at this one",
      profilePicIds: [id],
    });
    expect(sent.status).toBe(201);
    expect(await fetchStatus(other, id)).toBe(404);
    expect((await other.send("PUT", "/api/profile-pic-like", { profilePicId: id, likeType: "LIKE" })).status).toBe(404);
  });

  it("changes nothing in its owner's views of the check, of Met and of the map chat", async () => {
    await addToList(1);
    const viewsOf = async (member: TestMember, bytes: Buffer) => {
      const { id } = await uploadPicture(member, { bytes });
      const socket = await openSocket(worker, member, { path: "/ws/area" });
      const reader = await openSocket(worker, other, { path: "/ws/area" });
      expect((await member.send("POST", "/api/message", { bodyText: "Good evening, all of you" })).status).toBe(201);
      const isTheirs = (event: { message: { senderProfileId: number } }) => event.message.senderProfileId === member.id;
      const frame = await socket.waitFor("broadcast", isTheirs);
      const posts = await member.get<{ senderPicId: number | null; senderProfileId: number }[]>("/api/messages/area");
      // The badge and the count from before the picture became known.
      const [version] = await all<{ version: number }>("select version from picture where id = ?", id);
      await run(
        "insert into person_check (profile_id, pose, state, compared, ts_started, ts_checked) values (?, '{}', 'him', ?, 1, ?)",
        member.id,
        JSON.stringify([`${id}:${version!.version}`]),
        Date.now(),
      );
      await run(
        "insert into met_shown (profile_id, viewer_id, shown, picture, ts_next) values (?1, ?1, 3, ?2, 9e15)",
        member.id,
        `${id}.${version!.version}`,
      );
      const met = await member.get("/api/met");
      const check = await member.get<{ month: string | null; comparable: boolean }>("/api/person-check");
      const start = await member.send("POST", "/api/person-check", {});
      const seen = (await reader.waitFor("broadcast", isTheirs)).senderPicId;
      const own = [frame.senderPicId === id, posts.find(isOwn(member))?.senderPicId === id];
      return { own: [...own, met, check.month !== null, check.comparable, start.status], isSeen: seen === id };
    };
    const isOwn = (member: TestMember) => (post: { senderProfileId: number }) => post.senderProfileId === member.id;
    const usual = await viewsOf(owner, makeScenePng(3));
    const held = await viewsOf(await createMember(worker), makeScenePng(1));
    expect(usual).toEqual({ own: [true, true, { metBy: 3 }, true, true, 200], isSeen: true });
    expect(held).toEqual({ ...usual, isSeen: false });
  });

  it("opens a staff case with the picture and a legal hold within a minute, even if its owner deletes it", async () => {
    await addToList(1, "intimate");
    const { id } = await uploadPicture(owner, { bytes: makeScenePng(1), audience: "chat" });
    expect((await owner.send("DELETE", `/api/profile-pic/${id}`)).status).toBe(204);
    await worker.runCron(NIGHTLY, Date.now() + 2 * 3_600_000);
    await worker.runCron(EVERY_MINUTE);
    await worker.runCron(EVERY_MINUTE);
    const [opened, ...more] = await cases();
    expect(more).toEqual([]);
    expect(opened).toMatchObject({ category: "intimate", state: "staff", staff_only: 1, staff_reason: "rule" });
    const file = await readCase(opened!.id);
    expect(file.complaints).toMatchObject([{ by: "clock", rule: "intimate" }]);
    expect(file.complaints[0]!.text).toContain('the list "test"');
    const evidence = file.evidence.find(({ hasPicture }) => hasPicture);
    expect((await admin.fetch(`/api/evidence/${evidence!.id}`)).status).toBe(200);
    expect(await all("select report_id from legal_hold")).toEqual([{ report_id: opened!.id }]);
    expect(await all("select id from jury")).toEqual([]);
    // The owner reads nothing about it.
    for (const path of ["/api/standing", `/api/notifications/${owner.id}`, "/api/reports/mine"]) {
      expect(await (await owner.fetch(path)).text(), path).not.toMatch(/list|held|known/i);
    }
  });

  it("is held when it replaces a picture, and reappears in its place when staff dismiss the match", async () => {
    await addToList(1);
    const first = await uploadPicture(owner, { bytes: makeScenePng(2) });
    const last = await uploadPicture(owner, { bytes: makeScenePng(3) });
    await uploadPicture(owner, { bytes: makeScenePng(1), replaceId: first.id });
    expect(await ownPictures()).toEqual([first.id, last.id]);
    expect(await shownPictures()).toEqual([last.id]);
    expect(await fetchStatus(other, first.id)).toBe(404);
    await worker.runCron(EVERY_MINUTE);
    const [opened] = await cases();
    const dismissed = await admin.send("POST", `/api/admin/report/${opened!.id}/dismiss`, { reason: "Another one" });
    expect(dismissed.status).toBe(200);
    expect(await shownPictures()).toEqual([first.id, last.id]);
    expect(await fetchStatus(other, first.id)).toBe(200);
    expect(await all("select own_pics_public from profile where id = ?", owner.id)).toEqual([
      { own_pics_public: null },
    ]);
    // From then on the same file of this member matches nothing, whatever is searched or uploaded again, on any brand.
    await run("update known_picture set searched = 0");
    await worker.runCron(EVERY_MINUTE);
    expect((await owner.send("DELETE", `/api/profile-pic/${first.id}`)).status).toBe(204);
    const again = await uploadPicture(await owner.onBrand("harbor"), { bytes: makeScenePng(1) });
    expect(await fetchStatus(other, again.id)).toBe(200);
    await worker.runCron(EVERY_MINUTE);
    expect(await cases()).toHaveLength(1);
    expect(await all("select id from known_picture_match where report_id is null")).toEqual([]);
    const copier = await uploadPicture(other, { bytes: makeScenePng(1) });
    expect(await fetchStatus(owner, copier.id)).toBe(404);
  });

  it("reports to staff a stored picture that a list names, hiding it at once only if it is about minors", async () => {
    const minor = await uploadPicture(owner, { bytes: makeScenePng(1) });
    const intimate = await uploadPicture(owner, { bytes: makeScenePng(2) });
    await addToList(1);
    await addToList(2, "intimate");
    await run("update known_picture set searched = 0");
    await worker.runCron(EVERY_MINUTE);
    expect(await fetchStatus(other, minor.id)).toBe(404);
    expect(await fetchStatus(other, intimate.id)).toBe(200);
    expect(await all("select source, effect from known_picture_match order by picture_id")).toEqual([
      { source: "list:test", effect: "held" },
      { source: "list:test", effect: "none" },
    ]);
  });

  it("is hidden like after any action once staff act, and reappears when an appeal reverses it", async () => {
    await addToList(1);
    const { id } = await uploadPicture(owner, { bytes: makeScenePng(1) });
    await worker.runCron(EVERY_MINUTE);
    const [opened] = await cases();
    expect((await act(owner, "warn", { reportId: opened!.id, rule: "minor" })).status).toBe(201);
    expect(await owner.get<OwnPicture[]>("/api/profile-pics/mine")).toMatchObject([{ id, hiddenByStaff: true }]);
    const appealed = await owner.send("POST", `/api/report/${opened!.id}/appeal`, {
      text: "It is a drawing of mine, made up.",
    });
    expect(appealed.status).toBe(201);
    const second = await createMember(worker, { adminBrand: "*", hidden: true });
    const reversed = await second.send("POST", `/api/admin/report/${opened!.id}/appeal`, { reversed: true });
    expect(reversed.status).toBe(200);
    expect(await shownPictures()).toEqual([id]);
    expect(await fetchStatus(other, id)).toBe(200);
    await worker.runCron(NIGHTLY, Date.now() + 29 * DAY_MS);
    expect(await all("select report_id from known_picture_match")).toEqual([{ report_id: opened!.id }]);
    await worker.runCron(NIGHTLY, Date.now() + 31 * DAY_MS);
    expect(await all("select * from known_picture_match")).toEqual([]);
  });
});

describe("a picture that staff hide as intimate", () => {
  it("is refused from then on, and stored copies of other members stay until staff decide; lifting the action forgets it", async () => {
    const sister = await createMember(worker, { brand: "harbor", sharedOn: 7 });
    const { id } = await uploadPicture(owner, { bytes: makeScenePng(1) });
    const copy = await uploadPicture(sister, { bytes: makeScenePng(1, { brightness: 10 }) });
    const unlike = await uploadPicture(sister, { bytes: makeScenePng(2) });
    const hidden = await act(owner, "hide_picture", { pictureId: id });
    expect(hidden.status).toBe(201);
    expect(await refusalOf(owner, makeScenePng(1))).toBe("REVIEW");
    await worker.runCron(EVERY_MINUTE);
    await worker.runCron(EVERY_MINUTE);
    expect(await ownPictures(sister)).toEqual([copy.id, unlike.id]);
    for (const picture of [copy, unlike]) expect(await fetchStatus(other, picture.id)).toBe(200);
    const open = await all<{ id: number; subject_id: number }>(
      "select id, subject_id, brand, category, state from report where state <> 'decided' order by brand",
    );
    expect(open).toEqual([
      { id: expect.any(Number), subject_id: owner.id, brand: "ember", category: "intimate", state: "staff" },
      { id: expect.any(Number), subject_id: sister.id, brand: "harbor", category: "intimate", state: "staff" },
    ]);
    // The copy is on no hash list, so there is no legal hold.
    expect(await all("select * from legal_hold")).toEqual([]);
    const network = await createMember(worker, { adminBrand: "*", hidden: true });
    const decided = await network.send("POST", "/api/admin/action", {
      subjectProfileId: sister.id,
      kind: "hide_picture",
      pictureId: copy.id,
      reportId: open[1]!.id,
      rule: "intimate",
      reason: "The same picture",
    });
    expect(decided.status).toBe(201);
    expect(await fetchStatus(other, copy.id)).toBe(404);
    expect(await refusalOf(other, makeScenePng(1))).toBe("REVIEW");
    for (const action of await all<{ id: number }>("select id from moderation_action where kind = 'hide_picture'")) {
      expect((await network.send("POST", `/api/admin/action/${action.id}/lift`)).status).toBe(200);
    }
    expect((await postPicture(other, makeScenePng(1))).status).toBe(201);
  });

  it("stays closed to others when the action is lifted while its owner is in a country that punishes", async () => {
    const { id } = await uploadPicture(owner, { bytes: makeScenePng(1), nsfw: true });
    const shown = await uploadPicture(owner, { bytes: makeScenePng(2) });
    expect((await act(owner, "hide_picture", { pictureId: id })).status).toBe(201);
    await all("insert into travel_stay (profile_id, country, hid_member, ts_seen) values (?, 'UG', 0, 1)", owner.id);
    const [action] = await all<{ id: number }>("select id from moderation_action where kind = 'hide_picture'");
    const network = await createMember(worker, { adminBrand: "*", hidden: true });
    expect((await network.send("POST", `/api/admin/action/${action!.id}/lift`)).status).toBe(200);
    const listed = async () =>
      (await other.get<{ id: number }[]>(`/api/profile-pics/${owner.id}`)).map((picture) => picture.id);
    const lists = () => all("select pics_public, own_pics_public from profile where id = ?", owner.id);
    expect(await listed()).toEqual([shown.id]);
    expect(await lists()).toEqual([{ pics_public: `[${shown.id}]`, own_pics_public: `[${shown.id},${id}]` }]);
    await all("update travel_stay set pictures_withdrawn = 0 where profile_id = ?", owner.id);
    expect(await lists()).toEqual([{ pics_public: `[${shown.id},${id}]`, own_pics_public: null }]);
  });

  it("keeps a copy of a refused upload for staff, who let that member add it if it is another picture", async () => {
    const { id } = await uploadPicture(other, { bytes: makeScenePng(1) });
    await act(other, "hide_picture", { pictureId: id });
    const alike = makeScenePng(1, { brightness: 8 });
    // The same file again adds nothing, and only a few others wait with a copy.
    for (const tried of [alike, alike, ...[1, 2, 3, 4, 5, 6].map((brightness) => makeScenePng(1, { brightness }))]) {
      expect(await refusalOf(owner, tried)).toBe("REVIEW");
    }
    expect(await all("select effect from known_picture_match")).toHaveLength(5);
    expect(await ownPictures()).toEqual([]);
    await worker.runCron(EVERY_MINUTE);
    const [opened, ...more] = await all<{ id: number }>("select id from report where state <> 'decided'");
    expect(more).toEqual([]);
    const file = await readCase(opened!.id);
    expect(file.complaints[0]!.text).toContain("Its upload was refused until you decide");
    const evidence = file.evidence.find(({ hasPicture }) => hasPicture);
    expect((await admin.fetch(`/api/evidence/${evidence!.id}`)).status).toBe(200);
    const dismissed = await admin.send("POST", `/api/admin/report/${opened!.id}/dismiss`, { reason: "Himself" });
    expect(dismissed.status).toBe(200);
    expect(await (await owner.fetch(`/api/notifications/${owner.id}`)).text()).toContain("You can add it now.");
    const added = await uploadPicture(owner, { bytes: alike });
    expect(await fetchStatus(other, added.id)).toBe(200);
    // Anybody else's, and another file, are looked at as before.
    expect(await refusalOf(admin, alike)).toBe("REVIEW");
    expect(await refusalOf(owner, makeScenePng(1, { brightness: 7 }))).toBe("REVIEW");
  });
});
