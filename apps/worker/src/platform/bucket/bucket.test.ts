import { DAY_MS, MINUTE_MS } from "@lambda/contract/limits";
import { createMember } from "@lambda/testing/member";
import { uploadPicture } from "@lambda/testing/pictures";
import { postVoice } from "@lambda/testing/recordings";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { beforeEach, describe, expect, it } from "vitest";
import { hasTooManyOrphans } from "./sweep.ts";

const EVERY_MINUTE = "* * * * *";
const NIGHTLY = "17 3 * * *";
/** Every object in these tests is old enough to be swept. */
const NOW = Date.now() + 2 * DAY_MS;

let worker: TestWorker;
beforeEach(async () => {
  worker = await startWorker();
});

async function keys(prefix: string): Promise<string[]> {
  const { objects } = await worker.env.PICTURES.list({ prefix });
  return objects.map(({ key }) => key);
}

async function putMany(count: number, keyOf: (index: number) => string): Promise<void> {
  for (let index = 0; index < count; index += 1) await worker.env.PICTURES.put(keyOf(index), `${index}`);
}

const deleteMark = () => worker.run({ query: "delete from bucket_mark" });

describe("the orphan limit", () => {
  it("is a small share of a night or a page, and ignores a few orphans", () => {
    expect(hasTooManyOrphans([{ settled: 1000, orphans: 20 }])).toBe(false);
    expect(hasTooManyOrphans([{ settled: 1000, orphans: 21 }])).toBe(true);
    expect(hasTooManyOrphans([{ settled: 20, orphans: 10 }])).toBe(false);
    expect(hasTooManyOrphans([{ settled: 8, orphans: 8 }])).toBe(true);
    const clean = Array.from({ length: 49 }, () => ({ settled: 1000, orphans: 0 }));
    expect(hasTooManyOrphans([...clean, { settled: 1000, orphans: 100 }])).toBe(false);
    expect(hasTooManyOrphans([...clean, { settled: 1000, orphans: 101 }])).toBe(true);
  });
});

describe("the nightly sweeps", () => {
  it("move nothing when the database is empty", async () => {
    await putMany(30, (index) => `pictures/${index + 1}/${index + 1}/1/original.webp`);
    await putMany(30, (index) => `evidence/${index}.webp`);
    await worker.runCron(NIGHTLY, NOW);
    expect((await keys("pictures/")).length).toBe(30);
    expect((await keys("evidence/")).length).toBe(30);
    expect(await keys("trash/")).toEqual([]);
  });

  it("move many orphans if an operator allowed it", async () => {
    await putMany(30, (index) => `evidence/${index}.webp`);
    await worker.env.PICTURES.put("jobs/sweep-allowed.json", JSON.stringify({ until: NOW + DAY_MS }));
    await worker.runCron(NIGHTLY, NOW);
    expect(await keys("evidence/")).toEqual([]);
    expect((await keys("trash/")).length).toBe(30);
  });

  it("keep an orphan in the trash for 30 days, where it can be restored", async () => {
    const member = await createMember(worker);
    for (let count = 0; count < 2; count += 1) await uploadPicture(member);
    const orphan = `pictures/${member.id}/999/1/original.webp`;
    await worker.env.PICTURES.put(orphan, "bytes", { httpMetadata: { contentType: "image/webp" } });
    const day = new Date(NOW).toISOString().slice(0, 10);

    await worker.runCron(NIGHTLY, NOW);
    expect(await keys(orphan)).toEqual([]);
    expect(await keys("trash/")).toEqual([`trash/${day}/${orphan}`]);

    await worker.env.PICTURES.put("jobs/restore-trash.json", JSON.stringify({ since: day, prefix: "pictures/" }));
    await worker.runCron(EVERY_MINUTE, NOW + MINUTE_MS);
    const back = await worker.env.PICTURES.get(orphan);
    expect([await back!.text(), back!.httpMetadata?.contentType]).toEqual(["bytes", "image/webp"]);
    expect([...(await keys("trash/")), ...(await keys("jobs/restore"))]).toEqual([]);

    await worker.runCron(NIGHTLY, NOW + DAY_MS);
    await worker.runCron(NIGHTLY, NOW + 31 * DAY_MS);
    expect((await keys("trash/")).length).toBe(1);
    await worker.runCron(NIGHTLY, NOW + 32 * DAY_MS);
    expect(await keys("trash/")).toEqual([]);
  });
});

describe("a database that does not match the bucket", () => {
  it.each([
    ["was restored", () => worker.run({ query: "update bucket_mark set token = 'older', previous = 'oldest'" })],
    ["is a new one", () => deleteMark()],
    [
      "is declared restored",
      async () => void (await worker.env.PICTURES.put("jobs/database-mark.json", '{"token":"restored","since":0}')),
    ],
  ])("and %s stops sweeps, purges and the erasure of holds for a day", async (_name, replaceDatabase) => {
    const [member, deleted] = [await createMember(worker), await createMember(worker)];
    for (let uploaded = 0; uploaded < 2; uploaded += 1) await uploadPicture(member);
    const orphan = `pictures/${member.id}/999/1/original.webp`;
    await worker.env.PICTURES.put(orphan, "bytes");
    await worker.run({
      query: `insert into legal_hold (hold_ref, report_id, case_ref, brand, rule, reason, key_version, salt, ts_started, ts_until)
        values ('hold', 1, 'case', 'ember', 'minor', '', 1, '', 1, 2)`,
    });
    const count = async (table: string) => (await worker.run({ query: `select 1 from ${table}` }))[0]!.length;
    const left = async () => ({ accounts: await count("account"), holds: await count("legal_hold") });
    for (const minute of [1, 2]) await worker.runCron(EVERY_MINUTE, NOW + minute * MINUTE_MS);

    await worker.run({ query: "update account set ts_deleted = 1 where id = ?", values: [deleted.id] });
    await replaceDatabase();
    await worker.runCron(NIGHTLY, NOW + 2.5 * MINUTE_MS);
    await worker.runCron(EVERY_MINUTE, NOW + 3 * MINUTE_MS);
    await worker.runCron(NIGHTLY, NOW + DAY_MS);
    expect(await keys(orphan)).toEqual([orphan]);
    expect(await left()).toEqual({ accounts: 2, holds: 1 });

    await worker.runCron(EVERY_MINUTE, NOW + DAY_MS);
    await worker.runCron(NIGHTLY, NOW + DAY_MS + 3 * MINUTE_MS);
    expect(await keys(orphan)).toEqual([]);
    expect(await left()).toEqual({ accounts: 1, holds: 0 });
  });

  it("stops for a day the deletion of content that was not sent", async () => {
    const member = await createMember(worker);
    for (let count = 0; count < 2; count += 1) await uploadPicture(member);
    for (const minute of [1, 2]) await worker.runCron(EVERY_MINUTE, NOW + minute * MINUTE_MS);
    const unsent = (await uploadPicture(member, { audience: "chat" })).id;
    await uploadPicture(member, { audience: "once" });
    expect((await postVoice(member)).status).toBe(201);
    const prefixes = ["once/", "voices/", `pictures/${member.id}/${unsent}/`];
    const stored = async () => (await Promise.all(prefixes.map(keys))).map(({ length }) => length > 0);

    await deleteMark();
    await worker.runCron(EVERY_MINUTE, NOW + 3 * MINUTE_MS);
    await worker.runCron(EVERY_MINUTE, NOW + DAY_MS);
    await worker.runCron(NIGHTLY, NOW + DAY_MS);
    expect(await stored()).toEqual([true, true, true]);

    await worker.runCron(EVERY_MINUTE, NOW + DAY_MS + 4 * MINUTE_MS);
    await worker.runCron(NIGHTLY, NOW + DAY_MS + 4 * MINUTE_MS);
    expect(await stored()).toEqual([false, false, false]);
  });

  it("is not assumed after a minute in which the bucket was not written", async () => {
    await worker.runCron(EVERY_MINUTE, NOW);
    const before = await (await worker.env.PICTURES.get("jobs/database-mark.json"))!.text();
    await worker.runCron(EVERY_MINUTE, NOW + MINUTE_MS);
    await worker.env.PICTURES.put("jobs/database-mark.json", before);
    await worker.runCron(EVERY_MINUTE, NOW + 2 * MINUTE_MS);
    const mark = await (await worker.env.PICTURES.get("jobs/database-mark.json"))!.json<{ since: number }>();
    expect(mark.since).toBe(0);
  });
});
