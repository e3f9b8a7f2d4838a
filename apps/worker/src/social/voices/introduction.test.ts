import { HOUR_MS } from "@lambda/contract/limits";
import type { Profile } from "@lambda/contract/profiles";
import type { ProfileVoice } from "@lambda/contract/voices";
import { from, proveAge } from "@lambda/testing/age";
import { fillJuryPool, guilty, listSeats, voteAll } from "@lambda/testing/juries";
import { as, type TestMember } from "@lambda/testing/member";
import { mp4Recording, postIntroduction, webmRecording } from "@lambda/testing/recordings";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { strFromU8, unzipSync } from "fflate";
import { beforeAll, describe, expect, it } from "vitest";
import { purgeDeletedAccounts } from "../../data-rights/deletion/purge.ts";
import { openDatabase } from "../../platform/db/database.ts";
import { deleteDueVoices, sweepVoices } from "./store.ts";

let worker: TestWorker;
let viewer: TestMember;
let admin: TestMember;

beforeAll(async () => {
  worker = await startWorker();
  [viewer, admin] = [await as(worker), await as(worker, { adminBrand: "ember" })];
});

const run = (sql: string, ...values: unknown[]) =>
  worker.env.DB.prepare(sql)
    .bind(...values)
    .run();
const db = () => openDatabase(worker.env.DB);

async function introduced(options?: Parameters<typeof postIntroduction>[1]) {
  const owner = await as(worker, { proved: true });
  const answer = await postIntroduction(owner, options);
  expect(answer.status, await answer.clone().text()).toBe(201);
  return { owner, voice: (await answer.json()) as ProfileVoice };
}
const hear = (member: TestMember, { id }: { id: number }, range?: string) =>
  member.fetch(`/api/profile-voice/${id}`, range ? { headers: { range } } : {});
/** What the viewer learns by every way: the profile's answer, and the bytes. */
async function found(by: TestMember, owner: TestMember, voice: ProfileVoice) {
  const profile = await by.fetch(`/api/profile/${owner.id}`);
  const listed = profile.ok ? ((await profile.json()) as Profile).voice : null;
  return [listed?.id === voice.id, (await hear(by, voice)).status === 200];
}
const keys = async (owner: TestMember) =>
  (await worker.env.PICTURES.list({ prefix: `voices/${owner.id}/` })).objects.map(({ key }) => key);
const stored = (owner: TestMember) =>
  worker.env.DB.prepare("select pictures from stored_bytes where profile_id = ?").bind(owner.id).first("pictures");

describe("the voice introduction of a profile", () => {
  it("is one: recorded, replaced, opened to fewer and deleted by its owner, and counted", async () => {
    const { owner, voice } = await introduced({ bytes: webmRecording({ secret: "iPhone of Marco" }) });
    expect(voice).toMatchObject({ audience: "public", durationMs: 3000, peaks: [1, 50, 100, 7] });
    expect(await found(viewer, owner, voice)).toEqual([true, true]);
    const bytes = new Uint8Array(await (await hear(viewer, voice)).arrayBuffer());
    expect(String.fromCharCode(...bytes)).not.toMatch(/iPhone|Marco/);
    expect((await hear(viewer, voice, "bytes=0-1")).status).toBe(206);
    expect((await hear(viewer, voice, `bytes=${bytes.length}-`)).status).toBe(416);

    const second = (await (await postIntroduction(owner, { bytes: mp4Recording() })).json()) as ProfileVoice;
    expect((await hear(viewer, voice)).status).toBe(404);
    expect((await hear(viewer, second)).headers.get("content-type")).toBe("audio/mp4");
    expect(await keys(owner)).toHaveLength(1);
    expect(await stored(owner)).toBe(mp4Recording().length);

    expect((await owner.send("PUT", "/api/profile-voice", { audience: "private" })).status).toBe(200);
    expect(await found(viewer, owner, second)).toEqual([false, false]);
    expect(await found(owner, owner, second)).toEqual([true, true]);
    expect((await owner.send("DELETE", "/api/profile-voice")).status).toBe(204);
    expect(await found(owner, owner, second)).toEqual([false, false]);
    expect([await keys(owner), await stored(owner)]).toEqual([[], 0]);
    for (const method of ["DELETE", "PUT"] as const) {
      expect((await owner.send(method, "/api/profile-voice", { audience: "public" })).status).toBe(404);
    }
  });

  it("stays one when two recordings come at once", async () => {
    const owner = await as(worker);
    const answers = await Promise.all([postIntroduction(owner), postIntroduction(owner, { bytes: mp4Recording() })]);
    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
    expect(await keys(owner)).toHaveLength(1);
  });

  it("is refused where it is no sound, too long, not as long as it says, or for nobody", async () => {
    const owner = await as(worker);
    const bad = [
      [{ bytes: new TextEncoder().encode("<script>alert(1)</script>") }, "file"],
      [{ bytes: mp4Recording({ trackType: 1 }) }, "file"],
      [{ bytes: webmRecording({ ms: 40_000 }), durationMs: 30_000 }, "file"],
      [{ bytes: webmRecording({ ms: 9000 }) }, "file"],
      [{ durationMs: 31_000 }, "durationMs"],
      [{ peaks: "1,101" }, "peaks"],
      [{ audience: "once" }, "audience"],
    ] as const;
    for (const [options, field] of bad) {
      const answer = await postIntroduction(owner, options);
      expect([answer.status, await answer.json()]).toMatchObject([400, { error: { field } }]);
    }
    expect((await postIntroduction(owner, { bytes: new Uint8Array(1_000_001) })).status).toBe(413);
    expect(await keys(owner)).toEqual([]);
  });

  it("is heard as a picture of its audience is seen", async () => {
    const { owner, voice } = await introduced();
    const at = (sql: string, ...values: unknown[]) => run(sql, ...values, owner.id);
    const visible = [true, true];
    const gone = [false, false];
    expect((await worker.fetch(`/api/profile-voice/${voice.id}`)).status).toBe(401);
    expect(await found(viewer, owner, voice)).toEqual(visible);

    for (const [hide, show] of [
      ["update profile set hidden = 1 where id = ?", "update profile set hidden = 0 where id = ?"],
      ["update profile set status = 'suspended' where id = ?", "update profile set status = 'active' where id = ?"],
      ["update profile set status = 'deleted' where id = ?", "update profile set status = 'active' where id = ?"],
      [
        "insert into travel_stay (profile_id, country, hid, ts_seen) values (?, 'UG', 0, 1)",
        "delete from travel_stay where profile_id = ?",
      ],
      [
        "update profile_voice set removed = 1 where profile_id = ?",
        "update profile_voice set removed = 0 where profile_id = ?",
      ],
    ] as const) {
      await at(hide);
      expect([hide, await found(viewer, owner, voice)]).toEqual([hide, gone]);
      await at(show);
      expect([show, await found(viewer, owner, voice)]).toEqual([show, visible]);
    }
    for (const [one, other] of [
      [owner, viewer],
      [viewer, owner],
    ] as const) {
      await one.send("PUT", "/api/profile-like", { likedProfileId: other.id, blocked: true });
      expect(await found(viewer, owner, voice)).toEqual(gone);
      await one.send("PUT", "/api/profile-like", { likedProfileId: other.id, blocked: false });
    }
    // Not shared with the sister brand on which the viewer looks.
    await run("update profile set shared_on = 1 where id = ?", owner.id);
    expect(await found(await viewer.on("harbor"), owner, voice)).toEqual(gone);

    // Nobody declared it harmless: where explicit pictures wait for a proof of age, it does.
    const unproved = await as(worker);
    expect(await found(from(unproved, "GB"), owner, voice)).toEqual(gone);
    await proveAge(from(viewer, "GB"));
    expect(await found(from(viewer, "GB"), owner, voice)).toEqual(visible);
    expect(await found(from(unproved, "DE"), owner, voice)).toEqual(visible);

    await owner.send("PUT", "/api/profile-voice", { audience: "private" });
    expect(await found(viewer, owner, voice)).toEqual(gone);
    await owner.send("PUT", "/api/album-grant", { memberProfileId: viewer.id });
    expect(await found(viewer, owner, voice)).toEqual(visible);
    await run("update album_grant set ts_expires = ? where owner_id = ?", Date.now() - HOUR_MS, owner.id);
    expect(await found(viewer, owner, voice)).toEqual(gone);
  });
});

describe("a reported voice introduction", () => {
  const file = async (subject: TestMember, voiceId: number, by = viewer) => {
    const report = { subjectProfileId: subject.id, category: "hate", text: "Listen", voiceId };
    const answer = await by.send("POST", "/api/report", report);
    expect(answer.status).toBe(201);
    return ((await answer.json()) as { id: number }).id;
  };
  const evidence = async (report: number) =>
    (
      await worker.env.DB.prepare("select id, staff_only from evidence where kind = 'voice' and report_id = ?")
        .bind(report)
        .all<{ id: number; staff_only: number }>()
    ).results;

  it("is frozen only where its reporter may hear it, and for staff alone where it was not public", async () => {
    const { owner, voice } = await introduced({ audience: "private" });
    const other = await introduced();
    expect(await evidence(await file(owner, voice.id))).toEqual([]);
    expect(await evidence(await file(owner, other.voice.id, await as(worker)))).toEqual([]);
    const friend = await as(worker);
    await owner.send("PUT", "/api/album-grant", { memberProfileId: friend.id });
    expect(await evidence(await file(owner, voice.id, friend))).toMatchObject([{ staff_only: 1 }]);
  });

  it("is heard by jurors and staff, withdrawn from jurors when it is replaced, and deleted by the decision", async () => {
    await fillJuryPool(worker);
    const { owner, voice } = await introduced();
    const report = await file(owner, voice.id);
    const [item] = await evidence(report);
    const seats = await listSeats(worker);
    const juror = seats[0]!.juror;
    const inbox = await juror.get<{ cases: { evidence: object[] }[] }>("/api/arbitration");
    expect(inbox.cases[0]?.evidence).toContainEqual(expect.objectContaining({ kind: "voice", hasVoice: true }));
    const listen = (by: TestMember) => by.fetch(`/api/evidence/${item?.id}`);
    for (const by of [juror, admin]) {
      const answer = await listen(by);
      expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "audio/webm"]);
    }
    for (const by of [viewer, owner]) expect((await listen(by)).status).toBe(404);

    await owner.send("PUT", "/api/profile-voice", { audience: "private" });
    expect([(await listen(juror)).status, (await listen(admin)).status]).toEqual([404, 200]);
    await owner.send("PUT", "/api/profile-voice", { audience: "public" });

    await voteAll(seats, () => guilty("warn"));
    expect(await found(viewer, owner, voice)).toEqual([false, false]);
    expect(await found(owner, owner, voice)).toEqual([false, false]);
    await deleteDueVoices(worker.env, db(), Date.now());
    expect(await keys(owner)).toEqual([]);
    expect((await listen(admin)).status).toBe(200);
    const again = (await (await postIntroduction(owner)).json()) as ProfileVoice;
    expect(await found(viewer, owner, again)).toEqual([true, true]);
  });
});

it("is in its owner's export, and goes with the account, and with the sweep when no row names it", async () => {
  const { owner } = await introduced();
  const [key = ""] = await keys(owner);
  const archive = await owner.send("POST", "/api/account/export");
  const files = unzipSync(new Uint8Array(await archive.arrayBuffer()));
  expect(files["voices/introduction.webm"]?.length).toBe(webmRecording().length);
  expect(JSON.parse(strFromU8(files["data.json"] ?? new Uint8Array())).voiceIntroduction).toMatchObject([
    { audience: "public", durationMs: 3000 },
  ]);

  await worker.env.PICTURES.put(`voices/${owner.id}/left-behind`, "x");
  await sweepVoices(worker.env, db(), Date.now() + 3 * 24 * HOUR_MS);
  expect(await keys(owner)).toEqual([key]);

  await run("update profile set status = 'deleted' where id = ?", owner.id);
  await run("update account set ts_deleted = 1 where id = ?", owner.id);
  await purgeDeletedAccounts(worker.env, db(), Date.now(), 10);
  expect(await keys(owner)).toEqual([]);
  expect((await run("select id from profile_voice where profile_id = ?", owner.id)).results).toEqual([]);
});
