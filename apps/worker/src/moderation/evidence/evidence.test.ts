/** Frozen evidence: who can see it, and how long it outlives its original. */
import { DAY_MS } from "@lambda/contract/limits";
import { proveAge } from "@lambda/testing/age";
import { listSummonedJurors } from "@lambda/testing/juries";
import { createJuryPool } from "@lambda/testing/jury-pool";
import { createMember, logIn, type TestMember } from "@lambda/testing/member";
import { postPicture, uploadPicture } from "@lambda/testing/pictures";
import { makePng } from "@lambda/testing/png";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { beforeEach, expect, it } from "vitest";

let worker: TestWorker;
beforeEach(async () => {
  worker = await startWorker();
});

const all = async <Row>(sql: string) => (await worker.env.DB.prepare(sql).all<Row>()).results;
const copies = async () => (await worker.env.PICTURES.list({ prefix: "evidence/" })).objects.length;

async function scene() {
  await createJuryPool(worker.run);
  const [owner, reporter] = [
    await createMember(worker, { name: "Owner" }),
    await createMember(worker, { name: "Reporter" }),
  ];
  const admin = await createMember(worker, { adminBrand: "ember" });
  return { owner, reporter, admin };
}

async function send(from: TestMember, to: TestMember, bodyText: string, profilePicIds: number[] = []): Promise<number> {
  const response = await from.send("POST", "/api/message", { recipientProfileId: to.id, bodyText, profilePicIds });
  expect(response.status).toBe(201);
  return ((await response.json()) as { id: number }).id;
}

interface JuryInbox {
  cases: { evidence: { id: number; text: string; hasPicture: boolean }[] }[];
}
const evidenceOf = async (juror: TestMember) =>
  (await juror.get<JuryInbox>("/api/arbitration")).cases[0]?.evidence ?? [];

it("shows a picture from a private album or a chat to staff alone, whatever the rule", async () => {
  const { owner, reporter, admin } = await scene();
  const shared = (await uploadPicture(owner, { audience: "private" })).id;
  const sent = (await uploadPicture(owner, { audience: "chat" })).id;
  const shown = (await uploadPicture(owner)).id;
  expect((await owner.send("PUT", "/api/album-grant", { memberProfileId: reporter.id })).status).toBe(200);
  const messageId = await send(owner, reporter, "For you alone", [sent]);
  const filed = await reporter.send("POST", "/api/report", {
    subjectProfileId: owner.id,
    category: "spam",
    source: "message",
    sourceId: messageId,
    pictureIds: [sent, shared, shown],
  });
  expect(filed.status).toBe(201);
  const frozen = await all<{ id: number; source_id: number; staff_only: number }>(
    "select id, source_id, staff_only from evidence where kind = 'picture' order by source_id",
  );
  expect(frozen.map((item) => [item.source_id, item.staff_only])).toEqual([
    [shared, 1],
    [sent, 1],
    [shown, 0],
  ]);

  const [seat] = await listSummonedJurors(worker);
  const visible = await evidenceOf(seat!.juror);
  const publicId = frozen[2]!.id;
  expect(visible.filter((item) => item.hasPicture).map((item) => item.id)).toEqual([publicId]);
  for (const { id } of frozen) {
    expect((await seat!.juror.fetch(`/api/evidence/${id}`)).status).toBe(id === publicId ? 200 : 404);
    expect((await admin.fetch(`/api/evidence/${id}`)).status).toBe(200);
    for (const by of [owner, reporter]) expect((await by.fetch(`/api/evidence/${id}`)).status).toBe(404);
  }
});

it("shows an explicit picture only to jurors with a proof of age where the law requires one", async () => {
  const { owner, reporter, admin } = await scene();
  const picture = (await uploadPicture(owner, { nsfw: true })).id;
  const filed = { subjectProfileId: owner.id, category: "explicit", source: "picture", sourceId: picture };
  expect((await reporter.send("POST", "/api/report", filed)).status).toBe(201);
  const [seat] = await listSummonedJurors(worker);
  const { juror } = seat!;
  const id = (await evidenceOf(juror)).find((item) => item.hasPicture)?.id;
  const fetchFrom = async (place: string, by: TestMember) => {
    const response = await by.fetch(`/api/evidence/${id}`, { headers: { "x-development-place": place } });
    if (response.ok) return response.headers.get("content-type");
    return [response.status, ((await response.json()) as { error: { code: string } }).error.code];
  };
  expect(await fetchFrom("GB", juror)).toEqual([403, "AGE_PROOF_NEEDED"]);
  expect(await fetchFrom("NL", juror)).toBe("image/webp");
  expect(await fetchFrom("GB", admin)).toBe("image/webp");
  // A member who is not a juror learns neither the local age rule nor that there is a picture.
  expect(await fetchFrom("GB", reporter)).toEqual([404, "NOT_FOUND"]);
  await proveAge(juror);
  expect(await fetchFrom("GB", juror)).toBe("image/webp");
});

it("gives no jury to a case about a picture that was not public", async () => {
  const { owner, reporter } = await scene();
  const sent = (await uploadPicture(owner, { audience: "chat" })).id;
  await send(owner, reporter, "For you alone", [sent]);
  const filed = await reporter.send("POST", "/api/report", {
    subjectProfileId: owner.id,
    category: "explicit",
    source: "picture",
    sourceId: sent,
  });
  expect(filed.status).toBe(201);
  expect(await all("select state, staff_reason from report")).toEqual([{ state: "staff", staff_reason: "private" }]);
  expect(await all("select * from juror")).toEqual([]);
});

it("hides from jurors at once what its owner deletes, makes private or unsends, and keeps it for staff", async () => {
  const { owner, reporter, admin } = await scene();
  const [deleted, moved] = [(await uploadPicture(owner)).id, (await uploadPicture(owner)).id];
  const messageId = await send(owner, reporter, "A line that is taken back");
  const filed = await reporter.send("POST", "/api/report", {
    subjectProfileId: owner.id,
    category: "harassment",
    source: "message",
    sourceId: messageId,
    pictureIds: [deleted, moved],
  });
  const { id: reportId } = (await filed.json()) as { id: number };
  const [seat] = await listSummonedJurors(worker);
  const before = await evidenceOf(seat!.juror);
  expect(before.map((item) => item.text).join()).toContain("taken back");
  const pictures = before.filter((item) => item.hasPicture);
  expect(pictures).toHaveLength(2);

  expect((await owner.send("DELETE", `/api/profile-pic/${deleted}`)).status).toBe(204);
  await worker.env.DB.prepare("update picture set audience = 'private' where id = ?").bind(moved).run();
  expect((await owner.send("DELETE", `/api/message/${messageId}`)).ok).toBe(true);
  const blocked = { likedProfileId: reporter.id, likeType: "UNDETERMINED", blocked: true };
  expect((await owner.send("PUT", "/api/profile-like", blocked)).ok).toBe(true);

  expect((await evidenceOf(seat!.juror)).filter((item) => item.hasPicture)).toEqual([]);
  expect(JSON.stringify(await evidenceOf(seat!.juror))).not.toContain("taken back");
  for (const { id } of pictures) {
    expect((await seat!.juror.fetch(`/api/evidence/${id}`)).status).toBe(404);
    expect((await admin.fetch(`/api/evidence/${id}`)).status).toBe(200);
  }
  const file = await admin.get<{ evidence: { text: string }[] }>(`/api/admin/report/${reportId}`);
  expect(file.evidence.map((item) => item.text).join()).toContain("taken back");
});

it("keeps each version that was reported, as its owner may replace a picture or text between two reports", async () => {
  const { owner, reporter, admin } = await scene();
  const second = await createMember(worker);
  const { id } = await uploadPicture(owner, { bytes: makePng(40, 50, () => [10, 200, 10]) });
  const report = (by: TestMember) =>
    by.send("POST", "/api/report", {
      ...{ subjectProfileId: owner.id, category: "spam", source: "picture", sourceId: id, pictureIds: [id] },
    });
  const { id: reportId } = (await (await report(reporter)).json()) as { id: number };
  expect(
    (
      await postPicture(
        owner,
        makePng(60, 50, () => [200, 10, 10]),
        { replaceId: id },
      )
    ).status,
  ).toBe(201);
  await all(`update profile set description = 'Now with an address' where id = ${owner.id}`);
  for (const by of [second, second]) expect((await report(by)).status).toBeLessThan(300);
  const kept = await all<{ kind: string; r2_key: string | null; text: string }>(
    `select kind, r2_key, body ->> 'text' as text from evidence where report_id = ${reportId} order by kind, ts_source`,
  );
  expect(kept.map(({ kind, text }) => [kind, text])).toEqual([
    ["picture", ""],
    ["picture", ""],
    ["profile", ""],
    ["profile", "Now with an address"],
  ]);
  const widths = [];
  for (const { r2_key } of kept.slice(0, 2))
    widths.push(Buffer.from(await (await worker.env.PICTURES.get(r2_key!))!.arrayBuffer()).readUInt16LE(26) & 0x3fff);
  expect(widths).toEqual([40, 60]);
  const file = await admin.get<{ evidence: { hasPicture: boolean }[] }>(`/api/admin/report/${reportId}`);
  expect(file.evidence.filter(({ hasPicture }) => hasPicture)).toHaveLength(2);
});

it("hides from jurors at once a picture that a notice hides or that is held as a known picture", async () => {
  const { owner, reporter, admin } = await scene();
  const [hidden, held] = [(await uploadPicture(owner)).id, (await uploadPicture(owner)).id];
  const filed = { subjectProfileId: owner.id, category: "explicit", source: "picture", sourceId: hidden };
  expect((await reporter.send("POST", "/api/report", { ...filed, pictureIds: [held] })).status).toBe(201);
  const [seat] = await listSummonedJurors(worker);
  const pictures = (await evidenceOf(seat!.juror)).filter((item) => item.hasPicture);
  expect(pictures).toHaveLength(2);
  await worker.run(
    {
      query: `insert into notice (ref, case_ref, brand, kind, category, locale, ts_created)
        values ('R', 'C', 'ember', 'intimate', 'intimate', 'en', 1)`,
    },
    {
      query: `insert into notice_picture (notice_id, picture_id, profile_id, version, state, ts_created)
        select n.id, ?, ?, 1, 'hidden', 1 from notice n`,
      values: [hidden, owner.id],
    },
    { query: "update picture set hidden_by_staff = 2 where id = ?", values: [held] },
  );
  expect((await evidenceOf(seat!.juror)).filter((item) => item.hasPicture)).toEqual([]);
  for (const { id } of pictures) {
    expect((await seat!.juror.fetch(`/api/evidence/${id}`)).status).toBe(404);
    expect((await admin.fetch(`/api/evidence/${id}`)).status).toBe(200);
  }
});

it("deletes copies and texts once the case is decided and its time to appeal is over, not before", async () => {
  const { owner, reporter, admin } = await scene();
  const picture = (await uploadPicture(owner)).id;
  const filed = await reporter.send("POST", "/api/report", {
    subjectProfileId: owner.id,
    category: "threat",
    source: "picture",
    sourceId: picture,
  });
  const { id } = (await filed.json()) as { id: number };
  const night = (days: number) => worker.runCron("17 3 * * *", Date.now() + days * DAY_MS);
  await night(40);
  expect(await copies()).toBe(1);
  // The nightly run ended all sessions.
  const later = await logIn(worker, admin.id);
  expect((await later.send("POST", `/api/admin/report/${id}/dismiss`, { reason: "Nothing there" })).status).toBe(200);
  await night(29);
  expect(await copies()).toBe(1);
  await night(31);
  expect([await copies(), await all("select id from evidence")]).toEqual([0, []]);
});

it("keeps copies while an appeal is undecided", async () => {
  const { owner, reporter, admin } = await scene();
  const picture = (await uploadPicture(owner)).id;
  const filed = await reporter.send("POST", "/api/report", {
    subjectProfileId: owner.id,
    category: "threat",
    source: "picture",
    sourceId: picture,
  });
  const { id } = (await filed.json()) as { id: number };
  await admin.send("POST", `/api/admin/report/${id}/dismiss`, { reason: "Nothing there" });
  expect((await reporter.send("POST", `/api/report/${id}/appeal`, { text: "Please look again." })).status).toBe(201);
  await worker.runCron("17 3 * * *", Date.now() + 60 * DAY_MS);
  expect(await copies()).toBe(1);
});
