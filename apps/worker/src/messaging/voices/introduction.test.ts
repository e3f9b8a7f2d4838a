import { HOUR_MS } from "@lambda/contract/limits";
import type { Profile } from "@lambda/contract/profiles";
import type { ProfileVoice } from "@lambda/contract/voices";
import { fromRegion, proveAge } from "@lambda/testing/age";
import { castVotes, guilty, listSummonedJurors } from "@lambda/testing/juries";
import { createJuryPool } from "@lambda/testing/jury-pool";
import { createMember, type TestMember } from "@lambda/testing/member";
import { mp4Recording, postIntroduction, webmRecording } from "@lambda/testing/recordings";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { strFromU8, unzipSync } from "fflate";
import { beforeAll, describe, expect, it } from "vitest";
import { purgeDeletedAccounts } from "../../data-rights/deletion/purge.ts";
import { openDatabase } from "../../platform/db/database.ts";
import { deleteRemovedIntroductions, sweepVoices } from "./store.ts";

let worker: TestWorker;
let viewer: TestMember;
let admin: TestMember;

beforeAll(async () => {
  worker = await startWorker();
  [viewer, admin] = [await createMember(worker), await createMember(worker, { adminBrand: "ember" })];
});

const run = (sql: string, ...values: unknown[]) =>
  worker.env.DB.prepare(sql)
    .bind(...values)
    .run();
const db = () => openDatabase(worker.env.DB);

async function introduced(options?: Parameters<typeof postIntroduction>[1]) {
  const owner = await createMember(worker, { freshProof: true });
  const answer = await postIntroduction(owner, options);
  expect(answer.status, await answer.clone().text()).toBe(201);
  return { owner, voice: (await answer.json()) as ProfileVoice };
}
const play = (member: TestMember, { id }: { id: number }, range?: string) =>
  member.fetch(`/api/profile-voice/${id}`, range ? { headers: { range } } : {});
/** Whether the introduction is in the profile's response, and whether its bytes can be played. */
async function access(by: TestMember, owner: TestMember, voice: ProfileVoice) {
  const profile = await by.fetch(`/api/profile/${owner.id}`);
  const listed = profile.ok ? ((await profile.json()) as Profile).voice : null;
  return [listed?.id === voice.id, (await play(by, voice)).status === 200];
}
const keys = async (owner: TestMember) =>
  (await worker.env.PICTURES.list({ prefix: `voices/${owner.id}/` })).objects.map(({ key }) => key);
const stored = (owner: TestMember) =>
  worker.env.DB.prepare("select pictures from stored_bytes where profile_id = ?").bind(owner.id).first("pictures");

describe("the voice introduction of a profile", () => {
  it("can be recorded, replaced, restricted and deleted by its owner, and counts towards their storage", async () => {
    const { owner, voice } = await introduced({ bytes: webmRecording({ secret: "iPhone of Marco" }) });
    expect(voice).toMatchObject({ audience: "public", durationMs: 3000, peaks: [1, 50, 100, 7] });
    expect(await access(viewer, owner, voice)).toEqual([true, true]);
    const bytes = new Uint8Array(await (await play(viewer, voice)).arrayBuffer());
    expect(String.fromCharCode(...bytes)).not.toMatch(/iPhone|Marco/);
    expect((await play(viewer, voice, "bytes=0-1")).status).toBe(206);
    expect((await play(viewer, voice, `bytes=${bytes.length}-`)).status).toBe(416);

    const second = (await (await postIntroduction(owner, { bytes: mp4Recording() })).json()) as ProfileVoice;
    expect((await play(viewer, voice)).status).toBe(404);
    expect((await play(viewer, second)).headers.get("content-type")).toBe("audio/mp4");
    expect(await keys(owner)).toHaveLength(1);
    expect(await stored(owner)).toBe(mp4Recording().length);

    expect((await owner.send("PUT", "/api/profile-voice", { audience: "private" })).status).toBe(200);
    expect(await access(viewer, owner, second)).toEqual([false, false]);
    expect(await access(owner, owner, second)).toEqual([true, true]);
    expect((await owner.send("DELETE", "/api/profile-voice")).status).toBe(204);
    expect(await access(owner, owner, second)).toEqual([false, false]);
    expect([await keys(owner), await stored(owner)]).toEqual([[], 0]);
    for (const method of ["DELETE", "PUT"] as const) {
      expect((await owner.send(method, "/api/profile-voice", { audience: "public" })).status).toBe(404);
    }
  });

  it("stays one when two recordings are uploaded concurrently", async () => {
    const owner = await createMember(worker);
    const answers = await Promise.all([postIntroduction(owner), postIntroduction(owner, { bytes: mp4Recording() })]);
    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
    expect(await keys(owner)).toHaveLength(1);
  });

  it("is rejected if it is no sound, too long, or has an invalid audience", async () => {
    const owner = await createMember(worker);
    const bad = [
      [{ bytes: new TextEncoder().encode("<script>alert(1)</script>") }, "file"],
      [{ bytes: mp4Recording({ trackType: 1 }) }, "file"],
      [{ bytes: webmRecording({ ms: 40_000 }), durationMs: 30_000 }, "file"],
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

  it("is open to the members who may see a picture of the same audience", async () => {
    const { owner, voice } = await introduced();
    const at = (sql: string, ...values: unknown[]) => run(sql, ...values, owner.id);
    const visible = [true, true];
    const gone = [false, false];
    expect((await worker.fetch(`/api/profile-voice/${voice.id}`)).status).toBe(401);
    expect(await access(viewer, owner, voice)).toEqual(visible);

    for (const [hide, show] of [
      ["update profile set hidden = 1 where id = ?", "update profile set hidden = 0 where id = ?"],
      ["update profile set status = 'suspended' where id = ?", "update profile set status = 'active' where id = ?"],
      ["update profile set status = 'deleted' where id = ?", "update profile set status = 'active' where id = ?"],
      [
        "insert into travel_stay (profile_id, country, hid_member, ts_seen) values (?, 'UG', 0, 1)",
        "delete from travel_stay where profile_id = ?",
      ],
      [
        "update profile_voice set removed = 1 where profile_id = ?",
        "update profile_voice set removed = 0 where profile_id = ?",
      ],
    ] as const) {
      await at(hide);
      expect([hide, await access(viewer, owner, voice)]).toEqual([hide, gone]);
      await at(show);
      expect([show, await access(viewer, owner, voice)]).toEqual([show, visible]);
    }
    for (const [one, other] of [
      [owner, viewer],
      [viewer, owner],
    ] as const) {
      await one.send("PUT", "/api/profile-like", { likedProfileId: other.id, blocked: true });
      expect(await access(viewer, owner, voice)).toEqual(gone);
      await one.send("PUT", "/api/profile-like", { likedProfileId: other.id, blocked: false });
    }
    // Not shared with the sister brand that the viewer uses.
    await run("update profile set shared_on = 1 where id = ?", owner.id);
    expect(await access(await viewer.onBrand("harbor"), owner, voice)).toEqual(gone);

    // It may be explicit, so it requires a proof of age where explicit pictures do.
    const unproved = await createMember(worker);
    expect(await access(fromRegion(unproved, "GB"), owner, voice)).toEqual(gone);
    await proveAge(fromRegion(viewer, "GB"));
    expect(await access(fromRegion(viewer, "GB"), owner, voice)).toEqual(visible);
    expect(await access(fromRegion(unproved, "DE"), owner, voice)).toEqual(visible);

    await owner.send("PUT", "/api/profile-voice", { audience: "private" });
    expect(await access(viewer, owner, voice)).toEqual(gone);
    await owner.send("PUT", "/api/album-grant", { memberProfileId: viewer.id });
    expect(await access(viewer, owner, voice)).toEqual(visible);
    await run("update album_grant set ts_expires = ? where owner_id = ?", Date.now() - HOUR_MS, owner.id);
    expect(await access(viewer, owner, voice)).toEqual(gone);
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
      await worker.env.DB.prepare(
        `select id, staff_only from evidence where kind = 'voice'
          and report_id = (select report_id from report_filing where id = ?)`,
      )
        .bind(report)
        .all<{ id: number; staff_only: number }>()
    ).results;

  it("is frozen only if its reporter may play it, and for staff alone if it was not public", async () => {
    const { owner, voice } = await introduced({ audience: "private" });
    const other = await introduced();
    expect(await evidence(await file(owner, voice.id))).toEqual([]);
    expect(await evidence(await file(owner, other.voice.id, await createMember(worker)))).toEqual([]);
    const friend = await createMember(worker);
    await owner.send("PUT", "/api/album-grant", { memberProfileId: friend.id });
    expect(await evidence(await file(owner, voice.id, friend))).toMatchObject([{ staff_only: 1 }]);
  });

  it("can be played by jurors and staff, is withdrawn from jurors when restricted, and deleted by the decision", async () => {
    await createJuryPool(worker.run);
    const { owner, voice } = await introduced();
    const report = await file(owner, voice.id);
    const [item] = await evidence(report);
    const seats = await listSummonedJurors(worker);
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

    await castVotes(seats, () => guilty("warn"));
    expect(await access(viewer, owner, voice)).toEqual([false, false]);
    expect(await access(owner, owner, voice)).toEqual([false, false]);
    await deleteRemovedIntroductions(worker.env, db());
    expect(await keys(owner)).toEqual([]);
    expect((await listen(admin)).status).toBe(200);
    const again = (await (await postIntroduction(owner)).json()) as ProfileVoice;
    expect(await access(viewer, owner, again)).toEqual([true, true]);
  });
});

it("is in its owner's export, deleted with the account, and swept when it has no row", async () => {
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
