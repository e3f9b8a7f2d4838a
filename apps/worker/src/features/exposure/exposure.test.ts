import { as, type TestMember } from "@lambda/testing/member";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { beforeEach, describe, expect, it } from "vitest";

const HOUR = 3_600_000;

let worker: TestWorker;
beforeEach(async () => {
  worker = await startWorker();
});

async function talk(one: TestMember, other: TestMember): Promise<void> {
  await one.send("POST", "/api/message", { recipientProfileId: other.id, bodyText: "hello" });
  await other.send("POST", "/api/message", { recipientProfileId: one.id, bodyText: "hello yourself" });
}

/** Every row of every table but the conversations themselves, which say who wrote with whom whether or not anyone is told. */
async function dump(): Promise<Record<string, unknown[]>> {
  const { results } = await worker.env.DB.prepare(
    "select name from sqlite_master where type = 'table' and name not like 'sqlite_%' and name not like '_cf_%'",
  ).all<{ name: string }>();
  const tables: Record<string, unknown[]> = {};
  for (const { name } of results) {
    const rows = await worker.env.DB.prepare(`select * from "${name}"`).all();
    tables[name] = rows.results.map((row) => JSON.stringify(row));
  }
  return tables;
}

describe("health notices", () => {
  it("leave the same bytes whoever of two members sends them", async () => {
    const one = await as(worker);
    const other = await as(worker);
    const told = await as(worker);
    await talk(one, told);
    await talk(other, told);
    const before = await dump();
    const answer = await one.send("POST", "/api/exposure", { recipientProfileIds: [told.id] });
    expect(answer.status).toBe(202);
    const after = await dump();

    const changed = Object.keys(after).filter(
      (table) => JSON.stringify(after[table]) !== JSON.stringify(before[table]),
    );
    expect(changed.sort()).toEqual(["exposure_notice", "exposure_salt"]);
    const row = await worker.env.DB.prepare("select * from exposure_notice").first<Record<string, unknown>>();
    expect(Object.keys(row ?? {}).sort()).toEqual(["brand", "id", "recipient_id", "ts_due"]);
    expect(Number(row?.ts_due) % HOUR).toBe(0);
    expect(row?.recipient_id).toBe(told.id);
    const salt = await worker.env.DB.prepare("select * from exposure_salt").first();
    expect(Object.keys(salt ?? {})).toEqual(["day", "salt"]);

    // A second sender changes nothing at all, so that not even the number of senders is kept.
    expect((await other.send("POST", "/api/exposure", { recipientProfileIds: [told.id] })).status).toBe(202);
    expect(await dump()).toEqual(after);
    expect((await worker.env.PICTURES.list()).objects).toEqual([]);
  });

  it("are delivered later, say nothing of the sender, and are forgotten", async () => {
    const sender = await as(worker, { name: "Sender Sid" });
    const told = await as(worker);
    await talk(sender, told);
    await sender.send("POST", "/api/exposure", { recipientProfileIds: [told.id] });
    await worker.schedule("* * * * *", Date.now() + 3 * HOUR);
    const list = `/api/notifications/${told.id}`;
    const exposure = async () =>
      (await told.get<{ kind: string }[]>(list)).filter((notification) => notification.kind === "exposure");
    expect(await exposure()).toEqual([]);
    await worker.schedule("* * * * *", Date.now() + 60 * HOUR);
    const delivered = await exposure();
    expect(delivered).toHaveLength(1);
    expect(JSON.stringify(delivered)).not.toContain("Sid");
    expect(await worker.env.DB.prepare("select count(*) n from exposure_notice").first()).toEqual({ n: 0 });
    const row = await worker.env.DB.prepare("select about_id from notification where kind = 'exposure'").first();
    expect(row).toEqual({ about_id: null });
    await worker.schedule("17 3 * * *", Date.now() + 60 * HOUR);
    expect(await worker.env.DB.prepare("select count(*) n from exposure_salt").first()).toEqual({ n: 0 });
  });

  it("wait for the next minute when one cannot be delivered, and are not told twice", async () => {
    const told = [await as(worker), await as(worker), await as(worker)];
    const { DB } = worker.env;
    for (const [index, { id }] of told.entries()) {
      await DB.prepare("insert into exposure_notice values (?, ?, 'ember', 1)").bind(`notice-${index}`, id).run();
    }
    await DB.exec(
      `create trigger broken before insert on notification when new.profile_id = ${told[1]!.id} begin select raise(abort, 'broken'); end`,
    );
    const delivered = async () => {
      const { results } = await DB.prepare("select profile_id from notification order by id").all();
      return results.map(({ profile_id }) => profile_id);
    };
    await worker.schedule("* * * * *").catch(() => undefined);
    expect(await delivered()).toEqual([told[0]!.id]);
    await DB.exec("drop trigger broken");
    await worker.schedule("* * * * *");
    expect(await delivered()).toEqual(told.map(({ id }) => id));
    expect(await DB.prepare("select count(*) n from exposure_notice").first()).toEqual({ n: 0 });
  });

  it("draw each recipient's time by itself", async () => {
    const sender = await as(worker);
    const told = await Promise.all(Array.from({ length: 8 }, () => as(worker)));
    for (const member of told) await talk(sender, member);
    const answer = await sender.send("POST", "/api/exposure", { allWithinDays: 30 });
    expect(answer.status).toBe(202);
    const { results } = await worker.env.DB.prepare("select distinct ts_due from exposure_notice").all();
    expect(results.length).toBeGreaterThan(2);
  });

  it("go to partners who wrote back alone, and twice a day at most", async () => {
    const sender = await as(worker);
    const stranger = await as(worker);
    const partner = await as(worker);
    await sender.send("POST", "/api/message", { recipientProfileId: stranger.id, bodyText: "hi" });
    await talk(sender, partner);
    const send = (id: number) => sender.send("POST", "/api/exposure", { recipientProfileIds: [id] });
    expect((await send(stranger.id)).status).toBe(404);
    expect((await send(partner.id)).status).toBe(202);
    expect((await send(partner.id)).status).toBe(202);
    expect((await send(partner.id)).status).toBe(429);
  });
});
