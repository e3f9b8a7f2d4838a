/** What staff can do with a legal hold, and what no admin can do alone. */
import { DAY_MS } from "@lambda/contract/limits";
import { createMember, type TestMember } from "@lambda/testing/member";
import { uploadPicture } from "@lambda/testing/pictures";
import { postIntroduction } from "@lambda/testing/recordings";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { beforeEach, describe, expect, it } from "vitest";

let worker: TestWorker;
let one: TestMember;
let two: TestMember;
let subject: TestMember;
let reportId: number;
let holdRef: string;
beforeEach(async () => {
  worker = await startWorker();
  one = await createMember(worker, { adminBrand: "ember" });
  two = await createMember(worker, { adminBrand: "ember" });
  subject = await createMember(worker, { name: `Subject <&"> \u{1F600}`, email: "kept@example.test" });
  reportId = await report("minor");
  holdRef = (await holdOf(one)).holdRef;
});

const run = (sql: string, ...values: unknown[]) =>
  worker.env.DB.prepare(sql)
    .bind(...values)
    .run();
const actions = async () =>
  (
    await worker.env.DB.prepare("select action from audit_entry where action like 'hold.%' order by seq").all<{
      action: string;
    }>()
  ).results.map(({ action }) => action);

interface Hold {
  holdRef: string;
  confirmed: boolean;
  extensible: boolean;
  reportId: number;
  tsUntil: string;
  tipNumber: string | null;
  request: { requestRef: string; mine: string; open: boolean } | null;
}
async function holdOf(admin: TestMember): Promise<Hold> {
  return (await admin.get<Hold[]>(`/api/admin/holds?reportId=${reportId}`))[0]!;
}

async function report(category: string, text = "Look"): Promise<number> {
  const picture = await uploadPicture(subject);
  const reporter = await createMember(worker);
  const response = await reporter.send("POST", "/api/report", {
    subjectProfileId: subject.id,
    category,
    source: "profile",
    text,
    pictureIds: [picture.id],
  });
  return ((await response.json()) as { id: number }).id;
}

const REASON = "The police asks for it, file 17";
const ask = (admin: TestMember) => admin.send("POST", `/api/admin/hold/${holdRef}/request`, { reason: REASON });
const agree = async (admin: TestMember, ref?: string) =>
  admin.send("POST", `/api/admin/hold-request/${ref ?? (await holdOf(one)).request?.requestRef}/agree`, {});
const read = (admin: TestMember) => admin.send("POST", `/api/admin/hold/${holdRef}/content`, {});

it("keeps voice recordings for the two admins who open the hold and for the CyberTipline report", async () => {
  const voice = (await (await postIntroduction(subject)).json()) as { id: number };
  const more = { subjectProfileId: subject.id, category: "minor", voiceId: voice.id };
  expect((await (await createMember(worker)).send("POST", "/api/report", more)).status).toBe(201);
  await ask(one);
  await agree(two);
  const { pictures } = (await (await read(one)).json()) as { pictures: { mac: string; isVoice: boolean }[] };
  expect(pictures.filter(({ isVoice }) => !isVoice)).toHaveLength(2);
  const [voiceCopy] = pictures.filter(({ isVoice }) => isVoice);
  const played = await two.fetch(`/api/admin/hold/${holdRef}/picture/${voiceCopy?.mac}`);
  expect([played.status, played.headers.get("content-type")]).toEqual([200, "audio/webm"]);
  const draft = await one.get<{ files: { fileName: string }[] }>(`/api/admin/report/${reportId}/tip`);
  expect(draft.files.map(({ fileName }) => fileName.split(".")[1]).sort()).toEqual(["webm", "webp"]);
});

describe("opening a hold", () => {
  it("takes two admins, lasts a day, and logs each view", async () => {
    expect((await read(one)).status).toBe(403);
    expect((await ask(one)).status).toBe(200);
    expect((await read(one)).status).toBe(403);
    expect([(await holdOf(one)).request, (await holdOf(two)).request]).toMatchObject([
      { mine: "asked", open: false },
      { mine: "no", open: false },
    ]);
    expect((await agree(two)).status).toBe(200);
    for (const admin of [one, two]) {
      const content = (await (await read(admin)).json()) as {
        records: { json: string }[];
        pictures: { mac: string }[];
      };
      expect(JSON.parse(content.records[0]!.json).account.email).toBe("kept@example.test");
      const picture = await admin.fetch(`/api/admin/hold/${holdRef}/picture/${content.pictures[0]!.mac}`);
      expect([picture.status, picture.headers.get("cache-control")]).toEqual([200, "private, no-store"]);
      expect((await picture.arrayBuffer()).byteLength).toBeGreaterThan(20);
    }
    const third = await createMember(worker, { adminBrand: "*" });
    expect((await read(third)).status).toBe(403);
    expect(await actions()).toEqual([
      "hold.started",
      "hold.open_asked",
      "hold.open_agreed",
      ...Array(4).fill("hold.viewed"),
    ]);
    await run("update legal_hold_request set ts_agreed = ts_agreed - ?", DAY_MS);
    expect((await read(one)).status).toBe(403);
    expect((await holdOf(one)).request).toBe(null);
    expect((await ask(one)).status, "and can be asked for again").toBe(200);
  });

  it("is impossible for one admin alone: as the same account twice, or in another session", async () => {
    await ask(one);
    expect((await agree(one)).status).toBe(403);
    expect((await agree(await one.onBrand("ember"))).status).toBe(403);
    expect((await ask(one)).status).toBe(409);
    expect((await ask(two)).status, "one request at a time").toBe(409);
    expect((await read(one)).status).toBe(403);
    const constraint = run("update legal_hold_request set agreed_by = asked_by, ts_agreed = 1");
    await expect(constraint).rejects.toThrow("CHECK");
  });

  it("is impossible for admins of another brand, members and the subject of the case", async () => {
    const stranger = await createMember(worker, { adminBrand: "harbor", brand: "harbor" });
    const member = await createMember(worker);
    await ask(one);
    const { requestRef } = (await holdOf(one)).request!;
    const { mac } = (await worker.env.DB.prepare("select mac from legal_hold_item where kind = 'evidence'").first<{
      mac: string;
    }>())!;
    for (const [who, status] of [
      [stranger, 404],
      [member, 403],
    ] as const) {
      for (const response of [await ask(who), await agree(who, requestRef), await read(who)])
        expect(response.status).toBe(status);
      expect((await who.fetch(`/api/admin/hold/${holdRef}/picture/${mac}`)).status).toBe(status);
      expect((await who.send("POST", `/api/admin/hold/${holdRef}/extend`, { reason: REASON })).status).toBe(status);
      expect((await who.fetch(`/api/admin/report/${reportId}/tip`)).status).toBe(status);
    }
    expect(await stranger.get("/api/admin/holds")).toEqual([]);
    await run("update account set admin_brand = 'ember' where id = ?", subject.id);
    expect(await subject.get("/api/admin/holds")).toEqual([]);
    expect((await agree(subject, requestRef)).status).toBe(404);
    for (const forged of ["0".repeat(24), "' or 1=1 --", `${holdRef}x`, "../pictures"]) {
      const path = `/api/admin/hold/${encodeURIComponent(forged)}/content`;
      expect([400, 404]).toContain((await one.send("POST", path, {})).status);
    }
    expect((await one.fetch(`/api/admin/hold/${holdRef}/picture/${"0".repeat(64)}`)).status).toBe(403);
  });

  it("ends when either admin is demoted, before or after the agreement", async () => {
    await ask(one);
    const { requestRef } = (await holdOf(one)).request!;
    await run("update account set admin_brand = 'harbor' where id = ?", one.id);
    expect((await agree(two, requestRef)).status).toBe(409);
    await run("update account set admin_brand = 'ember' where id = ?", one.id);
    expect((await agree(two, requestRef)).status).toBe(200);
    expect((await agree(two, requestRef)).status, "once").toBe(409);
    await run("update account set admin_brand = null where id = ?", one.id);
    expect([(await read(one)).status, (await read(two)).status]).toEqual([403, 403]);
    await run("update account set admin_brand = 'ember' where id = ?", one.id);
    for (const [gone, left] of [
      [one, two],
      [two, one],
    ] as const) {
      await run("update profile set status = 'suspended' where id = ?", gone.id);
      expect((await read(left)).status).toBe(403);
      await run("update profile set status = 'active' where id = ?", gone.id);
      expect((await read(left)).status).toBe(200);
    }
    await two.send("POST", `/api/admin/hold-request/${requestRef}/refuse`, {});
    expect([(await read(one)).status, (await read(two)).status]).toEqual([403, 403]);
  });

  it("expires when nobody agrees within a week", async () => {
    await ask(one);
    const { requestRef } = (await holdOf(one)).request!;
    await run("update legal_hold_request set ts_asked = ts_asked - ?", 7 * DAY_MS);
    expect((await agree(two, requestRef)).status).toBe(409);
    expect((await ask(two)).status).toBe(200);
    expect((await agree(two, requestRef)).status).toBe(404);
  });
});

describe("staff and holds", () => {
  it("lets staff start one hold per case for any rule, and confirm an automatic one", async () => {
    const start = (id: number, reason = REASON) => one.send("POST", `/api/admin/report/${id}/hold`, { reason });
    const other = await createMember(worker);
    const filed = await (await createMember(worker)).send("POST", "/api/report", {
      subjectProfileId: other.id,
      category: "threat",
      source: "profile",
      text: "x",
    });
    const { id } = (await filed.json()) as { id: number };
    for (const attempt of [start(id), start(id), start(reportId)]) expect((await attempt).status).toBe(200);
    const holds = await one.get<Hold[]>("/api/admin/holds");
    expect(holds.map((hold) => [hold.reportId, hold.confirmed]).sort()).toEqual(
      [
        [reportId, true],
        [id, true],
      ].sort(),
    );
    expect((await start(id, "short")).status).toBe(400);
    expect((await start(id, "x".repeat(4001))).status).toBe(400);
    expect((await start(999_999)).status).toBe(404);
  });

  it("lets staff extend a hold twice, by 90 days each, and once for each request", async () => {
    const extend = async (by: TestMember, reason = REASON) =>
      (await by.send("POST", `/api/admin/hold/${holdRef}/extend`, { reason })).status;
    const before = Date.parse((await holdOf(one)).tsUntil);
    const statuses = [await extend(one), await extend(one), await extend(two), await extend(two)];
    expect([...statuses, await extend(one, "Another request")]).toEqual([200, 200, 200, 200, 409]);
    expect((await actions()).filter((action) => action === "hold.extended")).toHaveLength(2);
    const after = await holdOf(one);
    expect([Date.parse(after.tsUntil) - before, after.extensible]).toEqual([180 * DAY_MS, false]);
  });
});

describe("the report to the CyberTipline", () => {
  const FIELDS = {
    incidentType: "Online Enticement of Children for Sexual Acts",
    incidentDateTime: "2026-11-20T10:00:00Z",
    reporterFirstName: "Ana",
    reporterLastName: "Admin",
    reporterEmail: "ana@example.test",
    additionalInfo: "</additionalInfo><evil>&\u0007",
    filesViewed: true,
  };

  it("is a file with everything known, and recording its number restarts the hold's year", async () => {
    const { xml, text } = (await (await one.send("POST", `/api/admin/report/${reportId}/tip-file`, FIELDS)).json()) as {
      xml: string;
      text: string;
    };
    const row = (await worker.env.DB.prepare("select r2_key from evidence where kind = 'picture'").first<{
      r2_key: string;
    }>())!;
    const bytes = await (await worker.env.PICTURES.get(row.r2_key))!.arrayBuffer();
    const sha256 = Buffer.from(await crypto.subtle.digest("SHA-256", bytes)).toString("hex");
    for (const words of [sha256, "kept@example.test", "Ana", String(subject.id), FIELDS.incidentType]) {
      expect(xml).toContain(words);
      expect(text).toContain(words);
    }
    expect(xml).toContain("<screenName>Subject &lt;&amp;&quot;&gt; \u{1F600}</screenName>");
    expect(xml).toContain("&lt;/additionalInfo&gt;&lt;evil&gt;&amp;");
    expect(xml).not.toContain("\u0007");
    expect((xml.match(/<originalFileHash /g) ?? []).length).toBe(3);

    await run("update legal_hold set ts_until = ts_until - ?", 100 * DAY_MS);
    const sent = (tipNumber: string) => one.send("POST", `/api/admin/report/${reportId}/tip`, { tipNumber });
    expect((await sent("12a")).status).toBe(400);
    expect((await sent(" 4564654 ")).status).toBe(200);
    const hold = await holdOf(one);
    expect(hold).toMatchObject({ tipNumber: "4564654", confirmed: true });
    expect(Date.parse(hold.tsUntil)).toBeGreaterThan(Date.now() + 364 * DAY_MS);
    // The member is not notified.
    const told = await worker.env.DB.prepare("select 1 from notification where profile_id = ?").bind(subject.id).all();
    expect(told.results).toEqual([]);
  });

  it("rejects other cases, oversized texts and unknown incident types; a sister brand's staff get no address", async () => {
    const other = await createMember(worker);
    const filed = await (await createMember(worker)).send("POST", "/api/report", {
      subjectProfileId: other.id,
      category: "spam",
      source: "profile",
      text: "x",
    });
    const { id } = (await filed.json()) as { id: number };
    expect((await one.fetch(`/api/admin/report/${id}/tip`)).status).toBe(404);
    for (const wrong of [{ additionalInfo: "x".repeat(4001) }, { incidentType: "Other" }, { reporterEmail: "ana" }]) {
      expect((await one.send("POST", `/api/admin/report/${reportId}/tip-file`, { ...FIELDS, ...wrong })).status).toBe(
        400,
      );
    }
    const views = async () =>
      (await worker.run({ query: "select 1 from audit_entry where action = 'staff.member_viewed'" }))[0]!.length;
    const before = await views();
    expect(await one.get(`/api/admin/report/${reportId}/tip`)).toMatchObject({ reported: { email: subject.email } });
    expect(await views(), "logged like any other look at the address").toBe(before + 1);
    await run("update account set home_brand = 'harbor' where id = ?", subject.id);
    expect(await one.get(`/api/admin/report/${reportId}/tip`)).toMatchObject({ reported: { email: null } });
  });
});
