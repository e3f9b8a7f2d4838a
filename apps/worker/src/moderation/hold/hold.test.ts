/** Legal holds: what they copy, who can read it, and when it is erased. */
import { DAY_MS, HOLD_MS } from "@lambda/contract/limits";
import { createMember, type TestMember } from "@lambda/testing/member";
import { uploadPicture } from "@lambda/testing/pictures";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { beforeEach, describe, expect, it } from "vitest";
import type { LegalHoldItemRow, LegalHoldRow } from "../../platform/db/tables.ts";
import type { HoldRecord } from "./record.ts";
import { newestHoldKey, parseHoldKeys, unseal } from "./seal.ts";
import { holdObjectKey } from "./start.ts";

const HOURLY = "7 * * * *";
const NIGHTLY = "17 3 * * *";

let worker: TestWorker;
beforeEach(async () => {
  worker = await startWorker();
});

const all = async <Row>(sql: string) => (await worker.env.DB.prepare(sql).all<Row>()).results;
const run = (sql: string) => worker.env.DB.prepare(sql).run();
const objects = async () => (await worker.env.PICTURES.list({ prefix: "hold/" })).objects.map(({ key }) => key);
const holds = () => all<LegalHoldRow>("select * from legal_hold");
const items = () => all<LegalHoldItemRow>("select * from legal_hold_item order by ts_created, kind");

async function report(by: TestMember, subject: TestMember, category: string, pictureIds: number[] = []) {
  const draft = {
    subjectProfileId: subject.id,
    category,
    source: "profile",
    text: `Look at this, says ${by.id}`,
    pictureIds,
  };
  const response = await by.send("POST", "/api/report", draft);
  expect(response.status).toBe(201);
  return ((await response.json()) as { id: number }).id;
}

async function open(hold: LegalHoldRow, item: LegalHoldItemRow): Promise<Uint8Array> {
  const stored = await worker.env.PICTURES.get(holdObjectKey(hold, item.mac));
  return new Uint8Array(unseal(worker.env.HOLD_KEY, hold, item.mac, await stored!.arrayBuffer()));
}

async function readRecord(hold: LegalHoldRow, item: LegalHoldItemRow): Promise<HoldRecord> {
  return JSON.parse(new TextDecoder().decode(await open(hold, item))) as HoldRecord;
}

describe("a hold", () => {
  it("starts when a minor is reported, keeps texts, pictures and the account, and is unreadable without the key", async () => {
    const [subject, reporter, second] = [
      await createMember(worker, { name: "Subject", email: "kept@example.test" }),
      await createMember(worker),
      await createMember(worker),
    ];
    const picture = await uploadPicture(subject);
    await report(reporter, subject, "minor", [picture.id]);
    const [hold] = await holds();
    expect(hold).toMatchObject({ rule: "minor", brand: "ember", confirmed: 0, key_version: 1, tip_number: null });
    expect(hold!.ts_until - hold!.ts_started).toBe(HOLD_MS);
    const kept = await items();
    expect(kept.map(({ kind }) => kind)).toEqual(["evidence", "original", "record"]);
    expect((await objects()).sort()).toEqual(kept.map(({ mac }) => holdObjectKey(hold!, mac)).sort());

    const record = await readRecord(hold!, kept[2]!);
    expect(record.account).toMatchObject({ id: subject.id, email: "kept@example.test", profile_name: "Subject" });
    expect(record.account!.sessions.length).toBe(1);
    expect(record.filings).toMatchObject([{ reporter_id: reporter.id, category: "minor" }]);
    expect(record.evidence.map(({ kind }) => kind).sort()).toEqual(["picture", "profile"]);
    const [r2Key] = (await worker.env.PICTURES.list({ prefix: "evidence/" })).objects;
    const frozen = new Uint8Array(await (await worker.env.PICTURES.get(r2Key!.key))!.arrayBuffer());
    expect(await open(hold!, kept[0]!)).toEqual(frozen);
    for (const key of await objects()) {
      const raw = Buffer.from(await (await worker.env.PICTURES.get(key))!.arrayBuffer());
      for (const word of ["kept@example.test", "Look at this", "WEBP"]) expect(raw.includes(word)).toBe(false);
    }

    // Another report adds a record; running the job again changes nothing.
    await report(second, subject, "threat");
    expect((await items()).map(({ kind }) => kind)).toEqual(["evidence", "original", "record", "record"]);
    expect((await readRecord(hold!, (await items())[3]!)).filings.length).toBe(2);
    await worker.runCron(HOURLY);
    expect((await items()).length).toBe(4);
    expect((await holds()).length).toBe(1);
  });

  it("appears only in the staff's log, never in the public chain or the subject's own record", async () => {
    const [subject, reporter] = [await createMember(worker), await createMember(worker)];
    const admin = await createMember(worker, { adminBrand: "ember" });
    const id = await report(reporter, subject, "minor");
    const [hold] = await holds();
    await admin.send("POST", `/api/admin/report/${id}/dismiss`, { reason: "Looks thirty" });
    expect(await all("select action, case_ref from audit_entry where action like 'hold.%'")).toEqual([
      { action: "hold.started", case_ref: null },
    ]);
    for (const [member, path] of [
      [subject, "/api/transparency/chain"],
      [subject, `/api/transparency/case/${hold!.case_ref}`],
      [reporter, `/api/transparency/case/${hold!.case_ref}`],
    ] as const) {
      expect(await (await member.fetch(path)).text()).not.toContain("hold");
    }
    expect(await (await admin.fetch("/api/admin/audit")).text()).toContain(hold!.hold_ref);
  });

  it("does not start by itself for other rules", async () => {
    const [subject, reporter] = [await createMember(worker), await createMember(worker)];
    await report(reporter, subject, "threat");
    await worker.runCron(HOURLY);
    expect(await holds()).toEqual([]);
    expect(await objects()).toEqual([]);
  });

  it("that failed half-way is completed within the hour", async () => {
    const [subject, reporter] = [await createMember(worker), await createMember(worker)];
    await report(reporter, subject, "minor");
    const [item] = await items();
    await run("delete from legal_hold_item");
    await worker.runCron(HOURLY);
    expect(await items()).toMatchObject([{ kind: "record", mac: item!.mac }]);
    await run("delete from legal_hold");
    await worker.runCron(HOURLY);
    expect((await holds()).length).toBe(1);
  });

  it("survives every sweep for a year, then is erased with its bytes; the audit entry stays", async () => {
    const [subject, reporter] = [await createMember(worker), await createMember(worker)];
    const picture = await uploadPicture(subject);
    const id = await report(reporter, subject, "minor", [picture.id]);
    const [hold] = await holds();
    const admin = await createMember(worker, { adminBrand: "ember" });
    const sanction = { subjectProfileId: subject.id, kind: "ban", rule: "minor", reason: "Not of age", reportId: id };
    expect((await admin.send("POST", "/api/admin/action", sanction)).status).toBe(201);
    const before = await objects();
    for (const day of [1, 40, 364]) await worker.runCron(NIGHTLY, hold!.ts_started + day * DAY_MS);
    expect(await all("select id from evidence")).toEqual([]);
    expect(await objects()).toEqual(before);
    await worker.runCron(NIGHTLY, hold!.ts_until);
    expect(await objects()).toEqual([]);
    expect([await holds(), await items()]).toEqual([[], []]);
    await worker.runCron(HOURLY, hold!.ts_until + DAY_MS);
    expect(await holds(), "a decided case is not held again").toEqual([]);
    expect(await all("select action from audit_entry where action like 'hold.%' order by seq")).toEqual([
      { action: "hold.started" },
      { action: "hold.erased" },
    ]);
  });

  it("is erased once its case's dismissal can no longer be appealed, unless staff confirmed it", async () => {
    const [subject, other, reporter] = [
      await createMember(worker),
      await createMember(worker),
      await createMember(worker),
    ];
    const admin = await createMember(worker, { adminBrand: "ember" });
    const wrong = await report(reporter, subject, "minor");
    const confirmed = await report(reporter, other, "minor");
    await run(`update legal_hold set confirmed = 1 where report_id = ${confirmed}`);
    for (const id of [wrong, confirmed]) {
      await admin.send("POST", `/api/admin/report/${id}/dismiss`, { reason: "Looks thirty" });
    }
    await worker.runCron(NIGHTLY, Date.now() + 29 * DAY_MS);
    expect((await holds()).length).toBe(2);
    await worker.runCron(NIGHTLY, Date.now() + 31 * DAY_MS);
    expect(await holds()).toMatchObject([{ report_id: confirmed }]);
    expect((await objects()).length).toBe(1);
  });
});

describe("the keys of holds", () => {
  it("have versions, the newest first, so that an old hold opens after a rotation", async () => {
    expect([...parseHoldKeys("2:new, 1:old")]).toEqual([
      [2, "new"],
      [1, "old"],
    ]);
    expect(newestHoldKey("development")).toBe(1);
    expect(newestHoldKey("2:new,old")).toBe(2);
    for (const text of ["", "2:", "1:a,b", "3:a,3:b"]) expect(() => parseHoldKeys(text)).toThrow("HOLD_KEY");
  });

  it("do not open an object that was moved, changed or sealed under another key", async () => {
    const [subject, other, reporter] = [
      await createMember(worker),
      await createMember(worker),
      await createMember(worker),
    ];
    await report(reporter, subject, "minor");
    await report(reporter, other, "minor");
    const [one, two] = await holds();
    const first = (await items()).find(({ hold_ref }) => hold_ref === one!.hold_ref);
    const sealed = await (await worker.env.PICTURES.get(holdObjectKey(one!, first!.mac)))!.arrayBuffer();
    const key = worker.env.HOLD_KEY;
    expect(unseal(`2:another,1:${key}`, one!, first!.mac, sealed).length).toBe(first!.bytes);
    expect(() => unseal("2:another", one!, first!.mac, sealed)).toThrow("no version 1");
    expect(() => unseal("another", one!, first!.mac, sealed)).toThrow();
    expect(() => unseal(key, two!, first!.mac, sealed)).toThrow();
    expect(() => unseal(key, one!, "0".repeat(64), sealed)).toThrow();
    new Uint8Array(sealed)[20]! ^= 1;
    expect(() => unseal(key, one!, first!.mac, sealed)).toThrow();
  });
});
