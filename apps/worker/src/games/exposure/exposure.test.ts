import { ALL_BRANDS_MASK } from "@lambda/brands";
import { DAY_MS, EXPOSURE_MESSAGES_EACH_MIN, EXPOSURE_PARTNERS_MIN, HOUR_MS } from "@lambda/contract/limits";
import { createMember, type TestMember } from "@lambda/testing/member";
import { PHOENIX, reportPosition } from "@lambda/testing/scenes/positions";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { beforeEach, describe, expect, it } from "vitest";

let worker: TestWorker;
beforeEach(async () => {
  worker = await startWorker();
});

const MINUTELY = "* * * * *";

/** A member old enough to count as a possible sender. */
const createSettledMember = () => createMember(worker, { created: Date.now() - 40 * DAY_MS });

async function exchangeMessages(
  one: TestMember,
  other: TestMember,
  messages = EXPOSURE_MESSAGES_EACH_MIN,
): Promise<void> {
  for (let sent = 0; sent < messages; sent += 1) {
    for (const [from, to] of [
      [one, other],
      [other, one],
    ] as const) {
      const response = await from.send("POST", "/api/message", {
        recipientProfileId: to.id,
        bodyText: `hello ${sent}`,
      });
      expect(response.status).toBe(201);
    }
  }
}

/** Adds enough partners that a notice does not reveal its sender. */
async function addPartners(member: TestMember, count = EXPOSURE_PARTNERS_MIN): Promise<void> {
  for (let added = 0; added < count; added += 1) await exchangeMessages(await createSettledMember(), member);
}

async function countNotices(member: TestMember): Promise<number> {
  const listed = await member.get<{ kind: string }[]>(`/api/notifications/${member.id}`);
  return listed.filter(({ kind }) => kind === "exposure").length;
}

const countWaiting = () => worker.env.DB.prepare("select count(*) as n from exposure_notice").first<number>("n");

/** Every row of every table. */
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
  it("are visible members with whom messages were exchanged, and nobody else can be notified", async () => {
    const [me, partner, hidden, blocker, stranger] = await Promise.all(
      Array.from({ length: 5 }, () => createMember(worker)),
    );
    for (const other of [partner!, hidden!, blocker!]) await exchangeMessages(me!, other);
    await exchangeMessages(partner!, stranger!);
    await me!.send("POST", "/api/message", { recipientProfileId: stranger!.id, bodyText: "hello, and no answer" });
    const partners = async () =>
      (await me!.get<{ profileId: number }[]>("/api/exposure/partners")).map(({ profileId }) => profileId).sort();
    expect(await partners()).toEqual([partner!.id, hidden!.id, blocker!.id].sort());
    await reportPosition(hidden!, PHOENIX, { hide: true });
    await blocker!.send("PUT", "/api/profile-like", { likedProfileId: me!.id, blocked: true });
    expect(await partners()).toEqual([partner!.id]);
    for (const { id } of [stranger!, hidden!, blocker!]) {
      const response = await me!.send("POST", "/api/exposure", { recipientProfileIds: [partner!.id, id] });
      expect([response.status, await countWaiting()]).toEqual([404, 0]);
    }
  });
});

describe("health notices", () => {
  it("come from the recipient's home, so that no sister brand's name narrows down who sent them", async () => {
    const created = Date.now() - 40 * DAY_MS;
    const recipient = await createMember(worker, { created, sharedOn: ALL_BRANDS_MASK });
    await addPartners(recipient);
    const sender = await createMember(worker, { created, brand: "harbor" });
    await exchangeMessages(sender, await recipient.onBrand("harbor"));
    expect((await sender.send("POST", "/api/exposure", { recipientProfileIds: [recipient.id] })).status).toBe(202);
    const brandOf = (table: string) => worker.env.DB.prepare(`select brand from ${table}`).first<string>("brand");
    expect(await brandOf("exposure_notice")).toBe("ember");
    await worker.run({ query: "update exposure_notice set ts_due = 1" });
    await worker.runCron(MINUTELY);
    expect(await countNotices(recipient)).toBe(1);
    expect(await brandOf("(select * from notification where kind = 'exposure')")).toBe("ember");
  });

  it("leave the same data whichever of two members sends them", async () => {
    const one = await createMember(worker);
    const other = await createMember(worker);
    const recipient = await createMember(worker);
    await exchangeMessages(one, recipient);
    await exchangeMessages(other, recipient);
    const before = await dump();
    const response = await one.send("POST", "/api/exposure", { recipientProfileIds: [recipient.id] });
    expect(response.status).toBe(202);
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
    expect([Number(row?.ts_due) % HOUR_MS, Number(row?.ts_expires) - Number(row?.ts_due)]).toEqual([0, 14 * DAY_MS]);
    expect(row?.recipient_id).toBe(recipient.id);
    const salt = await worker.env.DB.prepare("select * from exposure_salt").first();
    expect(Object.keys(salt ?? {})).toEqual(["day", "salt"]);

    // Another notice of the same sender changes nothing, and that of a second sender adds a row like the first.
    expect((await one.send("POST", "/api/exposure", { recipientProfileIds: [recipient.id] })).status).toBe(202);
    expect(await dump()).toEqual(after);
    expect((await other.send("POST", "/api/exposure", { recipientProfileIds: [recipient.id] })).status).toBe(202);
    const { exposure_notice: notices, ...rest } = await dump();
    expect(notices).toHaveLength(2);
    expect({ ...rest, exposure_notice: after.exposure_notice }).toEqual(after);
    expect((await worker.env.PICTURES.list()).objects).toEqual([]);
  });

  it("are delivered later without the sender, and then deleted", async () => {
    const sender = await createMember(worker, { name: "Sender Sid" });
    const recipient = await createMember(worker);
    await exchangeMessages(sender, recipient);
    await addPartners(recipient);
    await sender.send("POST", "/api/exposure", { recipientProfileIds: [recipient.id] });
    await worker.runCron("* * * * *", Date.now() + 3 * HOUR_MS);
    const list = `/api/notifications/${recipient.id}`;
    const exposure = async () =>
      (await recipient.get<{ kind: string }[]>(list)).filter((notification) => notification.kind === "exposure");
    expect(await exposure()).toEqual([]);
    await worker.runCron("* * * * *", Date.now() + 60 * HOUR_MS);
    const delivered = await exposure();
    expect(delivered).toHaveLength(1);
    expect(JSON.stringify(delivered)).not.toContain("Sid");
    expect(await worker.env.DB.prepare("select count(*) n from exposure_notice").first()).toEqual({ n: 0 });
    const row = await worker.env.DB.prepare("select about_id from notification where kind = 'exposure'").first();
    expect(row).toEqual({ about_id: null });
    await worker.runCron("17 3 * * *", Date.now() + 60 * HOUR_MS);
    expect(await worker.env.DB.prepare("select count(*) n from exposure_salt").first()).toEqual({ n: 0 });
  });

  it("are delivered although one fails, which is retried, and none is delivered twice", async () => {
    const recipients = [await createMember(worker), await createMember(worker), await createMember(worker)];
    const { DB } = worker.env;
    for (const [index, member] of recipients.entries()) {
      await addPartners(member);
      const row = DB.prepare(
        "insert into exposure_notice (id, recipient_id, brand, ts_due, ts_expires) values (?, ?, 'ember', 1, ?)",
      );
      await row.bind(`notice-${index}`, member.id, Date.now()).run();
    }
    await DB.exec(
      `create trigger broken before insert on notification when new.profile_id = ${recipients[1]!.id} begin select raise(abort, 'broken'); end`,
    );
    const delivered = async () => {
      const { results } = await DB.prepare(
        "select profile_id from notification where kind = 'exposure' order by id",
      ).all();
      return results.map(({ profile_id }) => profile_id);
    };
    await worker.runCron("* * * * *").catch(() => undefined);
    expect(await delivered()).toEqual([recipients[0]!.id, recipients[2]!.id]);
    await DB.exec("drop trigger broken");
    await worker.runCron("* * * * *");
    expect(await delivered()).toEqual([0, 2, 1].map((index) => recipients[index]!.id));
    expect(await DB.prepare("select count(*) n from exposure_notice").first()).toEqual({ n: 0 });
  });

  it("have a separate random time for each recipient", async () => {
    const sender = await createMember(worker);
    const recipients = await Promise.all(Array.from({ length: 8 }, () => createMember(worker)));
    for (const member of recipients) await exchangeMessages(sender, member);
    const response = await sender.send("POST", "/api/exposure", { allWithinDays: 30 });
    expect(response.status).toBe(202);
    const { results } = await worker.env.DB.prepare("select distinct ts_due from exposure_notice").all();
    expect(results.length).toBeGreaterThan(2);
  });

  it("go only to partners who wrote back, and at most twice a day", async () => {
    const sender = await createMember(worker);
    const stranger = await createMember(worker);
    const partner = await createMember(worker);
    await sender.send("POST", "/api/message", { recipientProfileId: stranger.id, bodyText: "hi" });
    await exchangeMessages(sender, partner);
    const send = (id: number) => sender.send("POST", "/api/exposure", { recipientProfileIds: [id] });
    expect((await send(stranger.id)).status).toBe(404);
    expect((await send(partner.id)).status).toBe(202);
    expect((await send(partner.id)).status).toBe(202);
    expect((await send(partner.id)).status).toBe(429);
  });

  it("do not reach a member who only declined, however often the sender wrote", async () => {
    const [pest, victim] = [await createMember(worker), await createMember(worker)];
    const write = (from: TestMember, to: TestMember, bodyText: string) =>
      from.send("POST", "/api/message", { recipientProfileId: to.id, bodyText });
    for (const text of ["hi", "hello?", "come on", "answer me"]) await write(pest, victim, text);
    await write(victim, pest, "no thanks");
    await write(victim, pest, "please stop writing");
    expect((await pest.send("POST", "/api/exposure", { recipientProfileIds: [victim.id] })).status).toBe(404);
    expect((await pest.send("POST", "/api/exposure", { allWithinDays: 90 })).status).toBe(202);
    expect(await countWaiting()).toBe(0);
    expect(await pest.get("/api/exposure/partners")).toEqual([]);
  });

  it("do not reach members behind a block in either direction, which the sender does not learn", async () => {
    const sender = await createMember(worker);
    const [blocker, blocked, partner] = [
      await createMember(worker),
      await createMember(worker),
      await createMember(worker),
    ];
    for (const other of [blocker, blocked, partner]) await exchangeMessages(sender, other);
    await blocker.send("PUT", "/api/profile-like", { likedProfileId: sender.id, blocked: true });
    await sender.send("PUT", "/api/profile-like", { likedProfileId: blocked.id, blocked: true });
    const response = await sender.send("POST", "/api/exposure", { allWithinDays: 90 });
    expect([response.status, await response.text()]).toEqual([202, "{}"]);
    const { results } = await worker.env.DB.prepare("select recipient_id from exposure_notice").all();
    expect(results).toEqual([{ recipient_id: partner.id }]);
  });

  it.each(["sender", "recipient"] as const)(
    "that wait are canceled by a block by the %s, and others are not",
    async (by) => {
      const [sender, recipient, other] = [
        await createSettledMember(),
        await createMember(worker),
        await createSettledMember(),
      ];
      await exchangeMessages(sender, recipient);
      await addPartners(recipient);
      await exchangeMessages(other, sender);
      expect((await sender.send("POST", "/api/exposure", { recipientProfileIds: [recipient.id] })).status).toBe(202);
      expect((await other.send("POST", "/api/exposure", { recipientProfileIds: [sender.id] })).status).toBe(202);
      const row = await worker.env.DB.prepare("select sender_mac from exposure_notice limit 1").first<string>(
        "sender_mac",
      );
      expect(row).toMatch(/^[\w-]{43}$/);
      const [blocker, blocked] = by === "sender" ? [sender, recipient] : [recipient, sender];
      // A block of somebody else cancels nothing.
      await recipient.send("PUT", "/api/profile-like", { likedProfileId: other.id, blocked: true });
      expect(await countWaiting()).toBe(2);
      await blocker.send("PUT", "/api/profile-like", { likedProfileId: blocked.id, blocked: true });
      const { results } = await worker.env.DB.prepare("select recipient_id from exposure_notice").all();
      expect(results).toEqual([{ recipient_id: sender.id }]);
      await worker.runCron(MINUTELY, Date.now() + 60 * HOUR_MS);
      expect(await countNotices(recipient)).toBe(0);
    },
  );

  it("of one sender do not end with the block of another", async () => {
    const [positive, other, recipient] = [
      await createSettledMember(),
      await createSettledMember(),
      await createMember(worker),
    ];
    for (const sender of [positive, other]) await exchangeMessages(sender, recipient);
    await addPartners(recipient);
    for (const sender of [other, positive])
      expect((await sender.send("POST", "/api/exposure", { recipientProfileIds: [recipient.id] })).status).toBe(202);
    await recipient.send("PUT", "/api/profile-like", { likedProfileId: other.id, blocked: true });
    await worker.runCron(MINUTELY, Date.now() + 60 * HOUR_MS);
    expect([await countNotices(recipient), await countWaiting()]).toEqual([1, 0]);
  });

  it("reach a member at most once a month, however many senders there are and however often they send", async () => {
    const [daily, other, recipient] = [
      await createSettledMember(),
      await createSettledMember(),
      await createMember(worker),
    ];
    for (const sender of [daily, other]) await exchangeMessages(sender, recipient);
    await addPartners(recipient);
    const { DB } = worker.env;
    for (let day = 0; day < 29; day += 3) {
      for (const sender of [daily, other]) {
        expect((await sender.send("POST", "/api/exposure", { allWithinDays: 90 })).status).toBe(202);
      }
      await worker.runCron(MINUTELY, Date.now() + 60 * HOUR_MS);
      // Simulates three days passing.
      await DB.exec("update exposure_recipient set day = day - 3");
      await worker.env.DB.exec("delete from exposure_salt");
      expect(await countNotices(recipient)).toBe(1);
    }
    await DB.exec("update exposure_recipient set day = day - 3");
    expect((await daily.send("POST", "/api/exposure", { recipientProfileIds: [recipient.id] })).status).toBe(202);
    await worker.runCron(MINUTELY, Date.now() + 60 * HOUR_MS);
    expect(await countNotices(recipient)).toBe(2);
    await worker.runCron("17 3 * * *", Date.now() + 40 * DAY_MS);
    expect(await DB.prepare("select count(*) as n from exposure_recipient").first("n")).toBe(0);
  });

  it("wait while the recipient has only one partner, and expire if that does not change", async () => {
    const [sender, canary] = [await createSettledMember(), await createMember(worker)];
    await exchangeMessages(sender, canary);
    // New accounts, which the canary's owner may have created, do not count.
    for (let created = 0; created < EXPOSURE_PARTNERS_MIN; created += 1)
      await exchangeMessages(await createMember(worker), canary);
    expect((await sender.send("POST", "/api/exposure", { recipientProfileIds: [canary.id] })).status).toBe(202);
    for (const day of [3, 4, 9]) {
      await worker.runCron(MINUTELY, Date.now() + day * DAY_MS);
      expect([day, await countNotices(canary), await countWaiting()]).toEqual([day, 0, 1]);
    }
    await worker.runCron(MINUTELY, Date.now() + 20 * DAY_MS);
    expect([await countNotices(canary), await countWaiting()]).toEqual([0, 0]);
  });

  it("are delivered once the recipient has enough partners", async () => {
    const [sender, recipient] = [await createSettledMember(), await createMember(worker)];
    await exchangeMessages(sender, recipient);
    await sender.send("POST", "/api/exposure", { recipientProfileIds: [recipient.id] });
    await worker.runCron(MINUTELY, Date.now() + 3 * DAY_MS);
    expect(await countNotices(recipient)).toBe(0);
    await addPartners(recipient, EXPOSURE_PARTNERS_MIN - 1);
    // Openings that nobody answers, and that come last, take the places of none of them.
    for (let opened = 0; opened < 45; opened += 1)
      await (await createSettledMember()).send("POST", "/api/message", {
        ...{ recipientProfileId: recipient.id, bodyText: `Opening ${opened} of its own` },
      });
    await worker.runCron(MINUTELY, Date.now() + 5 * DAY_MS);
    expect([await countNotices(recipient), await countWaiting()]).toEqual([1, 0]);
  });
});
