import { EXPOSURE_MESSAGES_EACH_MIN, EXPOSURE_PARTNERS_MIN } from "@lambda/contract/limits";
import { as, type TestMember } from "@lambda/testing/member";
import { PHOENIX, report } from "@lambda/testing/scenes/positions";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { beforeEach, describe, expect, it } from "vitest";

const HOUR = 3_600_000;

let worker: TestWorker;
beforeEach(async () => {
  worker = await startWorker();
});

const DAY = 24 * HOUR;
const MINUTELY = "* * * * *";

/** Joined long enough ago to hide somebody else's notice. */
const settled = () => as(worker, { created: Date.now() - 40 * DAY });

async function talk(one: TestMember, other: TestMember, messages = EXPOSURE_MESSAGES_EACH_MIN): Promise<void> {
  for (let written = 0; written < messages; written += 1) {
    for (const [from, to] of [
      [one, other],
      [other, one],
    ] as const) {
      const sent = await from.send("POST", "/api/message", { recipientProfileId: to.id, bodyText: `hello ${written}` });
      expect(sent.status).toBe(201);
    }
  }
}

/** Partners enough that none of them is known by being the only one. */
async function addPartners(member: TestMember, count = EXPOSURE_PARTNERS_MIN): Promise<void> {
  for (let made = 0; made < count; made += 1) await talk(await settled(), member);
}

async function noticesOf(member: TestMember): Promise<number> {
  const listed = await member.get<{ kind: string }[]>(`/api/notifications/${member.id}`);
  return listed.filter(({ kind }) => kind === "exposure").length;
}

const waiting = () => worker.env.DB.prepare("select count(*) as n from exposure_notice").first<number>("n");

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

describe("partners", () => {
  it("are those one wrote with, as long as one can see them, and nobody else gets a notice", async () => {
    const [me, partner, hidden, blocker, stranger] = await Promise.all(Array.from({ length: 5 }, () => as(worker)));
    for (const other of [partner!, hidden!, blocker!]) await talk(me!, other);
    await talk(partner!, stranger!);
    await me!.send("POST", "/api/message", { recipientProfileId: stranger!.id, bodyText: "hello, and no answer" });
    const partners = async () =>
      (await me!.get<{ profileId: number }[]>("/api/exposure/partners")).map(({ profileId }) => profileId).sort();
    expect(await partners()).toEqual([partner!.id, hidden!.id, blocker!.id].sort());
    await report(hidden!, PHOENIX, { hide: true });
    await blocker!.send("PUT", "/api/profile-like", { likedProfileId: me!.id, blocked: true });
    expect(await partners()).toEqual([partner!.id]);
    for (const { id } of [stranger!, hidden!, blocker!]) {
      const answer = await me!.send("POST", "/api/exposure", { recipientProfileIds: [partner!.id, id] });
      expect([answer.status, await waiting()]).toEqual([404, 0]);
    }
  });
});

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
    expect(Object.keys(row ?? {}).sort()).toEqual([
      "brand",
      "id",
      "recipient_id",
      "sender_mac",
      "ts_due",
      "ts_expires",
    ]);
    expect([Number(row?.ts_due) % HOUR, Number(row?.ts_expires) - Number(row?.ts_due)]).toEqual([0, 14 * DAY]);
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
    await addPartners(told);
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
    for (const [index, member] of told.entries()) {
      await addPartners(member);
      const row = DB.prepare(
        "insert into exposure_notice (id, recipient_id, brand, ts_due, ts_expires) values (?, ?, 'ember', 1, ?)",
      );
      await row.bind(`notice-${index}`, member.id, Date.now()).run();
    }
    await DB.exec(
      `create trigger broken before insert on notification when new.profile_id = ${told[1]!.id} begin select raise(abort, 'broken'); end`,
    );
    const delivered = async () => {
      const { results } = await DB.prepare(
        "select profile_id from notification where kind = 'exposure' order by id",
      ).all();
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

  it("do not reach who only refused, however often the other one wrote", async () => {
    const [pest, victim] = [await as(worker), await as(worker)];
    const write = (from: TestMember, to: TestMember, bodyText: string) =>
      from.send("POST", "/api/message", { recipientProfileId: to.id, bodyText });
    for (const text of ["hi", "hello?", "come on", "answer me"]) await write(pest, victim, text);
    await write(victim, pest, "no thanks");
    await write(victim, pest, "please stop writing");
    expect((await pest.send("POST", "/api/exposure", { recipientProfileIds: [victim.id] })).status).toBe(404);
    expect((await pest.send("POST", "/api/exposure", { allWithinDays: 90 })).status).toBe(202);
    expect(await waiting()).toBe(0);
    expect(await pest.get("/api/exposure/partners")).toEqual([]);
  });

  it("reach nobody with whom a block stands, whoever made it, and the sender is not told", async () => {
    const sender = await as(worker);
    const [blocker, blocked, partner] = [await as(worker), await as(worker), await as(worker)];
    for (const other of [blocker, blocked, partner]) await talk(sender, other);
    await blocker.send("PUT", "/api/profile-like", { likedProfileId: sender.id, blocked: true });
    await sender.send("PUT", "/api/profile-like", { likedProfileId: blocked.id, blocked: true });
    const answer = await sender.send("POST", "/api/exposure", { allWithinDays: 90 });
    expect([answer.status, await answer.text()]).toEqual([202, "{}"]);
    const { results } = await worker.env.DB.prepare("select recipient_id from exposure_notice").all();
    expect(results).toEqual([{ recipient_id: partner.id }]);
  });

  it.each(["sender", "recipient"] as const)(
    "that wait end with a block by the %s, and those of others do not",
    async (by) => {
      const [sender, told, other] = [await settled(), await as(worker), await settled()];
      await talk(sender, told);
      await addPartners(told);
      await talk(other, sender);
      expect((await sender.send("POST", "/api/exposure", { recipientProfileIds: [told.id] })).status).toBe(202);
      expect((await other.send("POST", "/api/exposure", { recipientProfileIds: [sender.id] })).status).toBe(202);
      const row = await worker.env.DB.prepare("select sender_mac from exposure_notice limit 1").first<string>(
        "sender_mac",
      );
      expect(row).toMatch(/^[\w-]{43}$/);
      const [blocker, blocked] = by === "sender" ? [sender, told] : [told, sender];
      // A block of somebody else ends nothing.
      await told.send("PUT", "/api/profile-like", { likedProfileId: other.id, blocked: true });
      expect(await waiting()).toBe(2);
      await blocker.send("PUT", "/api/profile-like", { likedProfileId: blocked.id, blocked: true });
      const { results } = await worker.env.DB.prepare("select recipient_id from exposure_notice").all();
      expect(results).toEqual([{ recipient_id: sender.id }]);
      await worker.schedule(MINUTELY, Date.now() + 60 * HOUR);
      expect(await noticesOf(told)).toBe(0);
    },
  );

  it("come once a month at most, from one sender who sends every day or from several", async () => {
    const [daily, other, told] = [await settled(), await settled(), await as(worker)];
    for (const sender of [daily, other]) await talk(sender, told);
    await addPartners(told);
    const { DB } = worker.env;
    for (let day = 0; day < 29; day += 3) {
      for (const sender of [daily, other]) {
        expect((await sender.send("POST", "/api/exposure", { allWithinDays: 90 })).status).toBe(202);
      }
      await worker.schedule(MINUTELY, Date.now() + 60 * HOUR);
      // Time passes: what was counted and stored is three days older.
      await DB.exec("update exposure_told set day = day - 3");
      await worker.env.DB.exec("delete from exposure_salt");
      expect(await noticesOf(told)).toBe(1);
    }
    await DB.exec("update exposure_told set day = day - 3");
    expect((await daily.send("POST", "/api/exposure", { recipientProfileIds: [told.id] })).status).toBe(202);
    await worker.schedule(MINUTELY, Date.now() + 60 * HOUR);
    expect(await noticesOf(told)).toBe(2);
    await worker.schedule("17 3 * * *", Date.now() + 40 * DAY);
    expect(await DB.prepare("select count(*) as n from exposure_told").first("n")).toBe(0);
  });

  it("wait for who has written with one member alone, and are never sent if that stays so", async () => {
    const [sender, canary] = [await settled(), await as(worker)];
    await talk(sender, canary);
    // Accounts that the canary's owner makes for the purpose hide nobody.
    for (let made = 0; made < EXPOSURE_PARTNERS_MIN; made += 1) await talk(await as(worker), canary);
    expect((await sender.send("POST", "/api/exposure", { recipientProfileIds: [canary.id] })).status).toBe(202);
    for (const day of [3, 4, 9]) {
      await worker.schedule(MINUTELY, Date.now() + day * DAY);
      expect([day, await noticesOf(canary), await waiting()]).toEqual([day, 0, 1]);
    }
    await worker.schedule(MINUTELY, Date.now() + 20 * DAY);
    expect([await noticesOf(canary), await waiting()]).toEqual([0, 0]);
  });

  it("are sent after all when there are more whom they could come from", async () => {
    const [sender, told] = [await settled(), await as(worker)];
    await talk(sender, told);
    await sender.send("POST", "/api/exposure", { recipientProfileIds: [told.id] });
    await worker.schedule(MINUTELY, Date.now() + 3 * DAY);
    expect(await noticesOf(told)).toBe(0);
    await addPartners(told, EXPOSURE_PARTNERS_MIN - 1);
    await worker.schedule(MINUTELY, Date.now() + 5 * DAY);
    expect([await noticesOf(told), await waiting()]).toEqual([1, 0]);
  });
});
