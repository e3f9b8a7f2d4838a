import { DAY_MS, MINUTE_MS } from "@lambda/contract/limits";
import { workerWith } from "@lambda/testing/harness";
import { createMember } from "@lambda/testing/member";
import { uploadPicture } from "@lambda/testing/pictures";
import { createVisitor, waitForMail } from "@lambda/testing/visitor";
import { startSeparateWorker, type TestWorker } from "@lambda/testing/worker";
import { openDatabase } from "@lambda/worker/database";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { closeDown } from "./close-down.ts";

const EVERY_MINUTE = "* * * * *";
const NOW = Date.now();
/** The end of the notice, to the day. */
const LAST_DAY = new Date(NOW + 31 * DAY_MS).toISOString().slice(0, 10);
const END = Date.parse(LAST_DAY);

let worker: TestWorker;
let clock: number;
beforeEach(async () => {
  clock = NOW;
  worker = await startSeparateWorker([{ ...workerWith(1), vars: { CLOSING_ON: LAST_DAY } }]);
});
afterEach(() => worker.close());

/** The scheduled jobs of these minutes. */
async function minutes(count: number): Promise<void> {
  for (let minute = 0; minute < count; minute += 1) {
    await worker.runCron(EVERY_MINUTE, clock);
    clock += MINUTE_MS;
  }
}

const count = async (table: string) => worker.env.DB.prepare(`select count(*) as n from "${table}"`).first<number>("n");
const accounts = async () =>
  (await worker.env.DB.prepare("select id, email from account").all<{ id: number; email: string }>()).results;
const publicActions = async () => {
  const { results } = await worker.env.DB.prepare("select brand, action from public_entry order by seq").all<{
    brand: string;
    action: string;
  }>();
  return results.filter(({ brand }) => brand === "ember").map(({ action }) => action);
};

async function listKeys(bucket: R2Bucket): Promise<string[]> {
  return (await bucket.list()).objects.map(({ key }) => key);
}

describe("a site that closes", () => {
  it("mails each member once, takes nobody new, and says so on every page and in public", {
    tags: "slow",
  }, async () => {
    const me = await createMember(worker, { name: "Marco" });
    // Of a brand that the site no longer has, which must hold up nobody's mail, nor repeat it.
    const { id, email } = await createMember(worker);
    await worker.env.DB.prepare("update account set home_brand = 'gone' where id = ?").bind(id).run();
    const newcomer = createVisitor(worker);
    const register = (email: string) =>
      newcomer.send("POST", "/api/auth/register", { email, acknowledgements: "cookies; adult; geolocation" });
    await minutes(4);
    const { subject, text } = await waitForMail(worker, me.email);
    expect(subject).toMatch(/^Ember closes on /);
    expect(text).toContain("/settings#data");
    const mails = await (await worker.fetch("/dev/mail.json")).json<{ to: string }[]>();
    for (const address of [me.email, email]) expect(mails.filter(({ to }) => to === address)).toHaveLength(1);
    expect(await publicActions()).toEqual(["site.closing"]);
    expect(await (await worker.fetch("/login")).text()).toContain(`data-closing="${LAST_DAY}"`);

    // The responses are the same; only the mailbox learns that there is no account.
    const [known, unknown] = [await register(me.email), await register("new@example.test")];
    expect([unknown.status, Object.keys(await unknown.json<object>())]).toEqual([
      known.status,
      Object.keys(await known.json<object>()),
    ]);
    expect((await waitForMail(worker, "new@example.test")).subject).toBe("No new account on Ember");
    expect((await waitForMail(worker, me.email, 1)).text).toMatch(/token=/);
    expect(await count("login_code")).toBe(1);
  });

  it("erases everything on its last day but the log and what is on hold, also if it was killed in between", async () => {
    const me = await createMember(worker, { name: "Marco" });
    const other = await createMember(worker, { name: "Other" });
    await uploadPicture(me);
    const messages = worker.env.MESSAGES_1;
    const written = [
      await me.send("POST", "/api/message", {
        recipientProfileId: other.id,
        bodyText: "hello",
        clientId: "one-message",
      }),
      await me.send("POST", "/api/report", {
        subjectProfileId: other.id,
        source: "profile",
        category: "minor",
        text: "he is 15",
      }),
      await me.send("POST", "/api/contactus-messages", { name: "Marco", message: "a letter" }),
    ];
    for (const response of written) expect(response.status, await response.text()).toBeLessThan(300);
    await worker.env.DB.prepare(
      "insert into known_picture (hash, source, rule, ts_created) values (?, 'list:one', 'minor', 1)",
    )
      .bind("0".repeat(64))
      .run();
    await worker.env.PICTURES.put("hold/one/two", "sealed");
    await worker.env.PICTURES.put("trash/2026-11-20/pictures/1", "old");
    await worker.env.BACKUPS.put("database/2026-11-20.sql", "rows");
    await worker.env.DB.prepare(
      `insert into legal_hold (hold_ref, report_id, case_ref, brand, rule, reason, key_version, salt, ts_started, ts_until)
       values ('one', 77, 'case', 'ember', 'minor', '', 0, 'salt', ?, ?)`,
    )
      .bind(NOW, NOW + 400 * DAY_MS)
      .run();
    await worker.env.DB.prepare("insert into opening_step values ('ember', 'open', ?, 1)").bind(me.id).run();
    // What no member's purge finds.
    for (const d1 of [worker.env.DB, messages])
      await d1?.exec("insert into message_pair (low_id, high_id) values (901, 902)");
    await minutes(3);
    // A hold that could not be made at first.
    await worker.env.DB.prepare("delete from legal_hold where hold_ref <> 'one'").run();
    clock = END - MINUTE_MS;
    await minutes(1);
    expect(await count("account")).toBe(2);
    expect((await me.fetch("/api/settings")).status).toBe(200);

    clock = END;
    await minutes(1);
    expect((await me.fetch("/api/settings")).status).toBe(401);
    expect([await count("account"), await publicActions()]).toEqual([0, ["site.closing"]]);
    const list = () => Promise.reject(new Error("killed"));
    const killed = Object.assign(Object.create(worker.env) as typeof worker.env, { BACKUPS: { list } });
    await expect(closeDown(killed, openDatabase(worker.env.DB), clock)).rejects.toThrow("killed");
    expect(await publicActions()).toEqual(["site.closing"]);
    await minutes(1);
    const { results } = await worker.env.DB.prepare(
      "select name from sqlite_master where type = 'table' and name not like 'sqlite_%' and name not like '_cf_%'",
    ).all<{ name: string }>();
    const filled: string[] = [];
    for (const { name } of results) if (await count(name)) filled.push(name);
    // The private half of an entry about the end has nobody in it.
    expect(filled.sort()).toEqual([
      "audit_entry",
      "audit_private",
      "bucket_mark",
      "legal_hold",
      "legal_hold_item",
      "opening_step",
      "public_entry",
    ]);
    expect(await count("legal_hold")).toBe(2);
    const secrets = "select distinct subject_id as s, actor_id as a from audit_private";
    expect((await worker.env.DB.prepare(secrets).all()).results).toEqual([{ s: null, a: null }]);
    expect(await messages?.prepare("select count(*) as n from message").first("n")).toBe(0);
    expect(await messages?.prepare("select count(*) as n from message_pair").first("n")).toBe(0);
    const kept = (await listKeys(worker.env.PICTURES)).filter((key) => !key.startsWith("jobs/"));
    expect(kept.filter((key) => !key.startsWith("hold/"))).toEqual([]);
    expect(kept).toContain("hold/one/two");
    expect(await listKeys(worker.env.BACKUPS)).toEqual([]);
    expect(await publicActions()).toEqual(["site.closing", "site.erased"]);
    await minutes(2);
    expect(await publicActions()).toEqual(["site.closing", "site.erased"]);
  });

  it("counts a member as told once the mail was taken: a refused service stops it, one refused mailbox does not", async () => {
    vi.stubGlobal("__DEVELOPMENT__", false);
    vi.spyOn(console, "error").mockReturnValue();
    const ids: number[] = [];
    for (let index = 0; index < 5; index += 1) ids.push((await createMember(worker)).id);
    let refused = ids;
    const emails = new Map((await accounts()).map(({ id, email }) => [email, id]));
    const sent: number[] = [];
    const send = async ({ to }: { to: string }) => {
      const id = emails.get(to) ?? 0;
      if (refused.includes(id)) throw Object.assign(new Error("refused"), { code: "E_DAILY_LIMIT_EXCEEDED" });
      sent.push(id);
    };
    const env = Object.assign(Object.create(worker.env) as typeof worker.env, { CLOSING_ON: LAST_DAY, MAIL: { send } });
    const run = async () => {
      await closeDown(env, openDatabase(worker.env.DB), NOW);
      const state = await worker.env.PICTURES.get("jobs/closing.json");
      return (await state?.json<{ mailedUpTo: number | null }>())?.mailedUpTo;
    };
    expect(await run()).toBe(0);
    expect([await run(), sent, await count("mail_queue")]).toEqual([0, [], 0]);
    refused = [ids[1]!, ids[4]!];
    expect([await run(), sent, await count("mail_queue")]).toEqual([null, [ids[0], ids[2], ids[3]], 2]);
    const { results } = await worker.env.DB.prepare("select ts_expires from mail_queue").all<{ ts_expires: number }>();
    for (const { ts_expires } of results) expect(ts_expires).toBeGreaterThanOrEqual(END);
    expect(vi.mocked(console.error)).toHaveBeenCalledTimes(5);
    vi.mocked(console.error).mockReset();
    vi.unstubAllGlobals();
  });

  it("gives 30 days even if the day was written too near, and can be called off until then", {
    tags: "slow",
  }, async () => {
    const me = await createMember(worker);
    const db = openDatabase(worker.env.DB);
    const near = { ...worker.env, CLOSING_ON: new Date(NOW + DAY_MS).toISOString().slice(0, 10) };
    const env = Object.assign(Object.create(worker.env), near) as typeof worker.env;
    await worker.env.DB.prepare("update account set ts_deleted = 1 where id = ?").bind(me.id).run();
    await closeDown(env, db, NOW);
    await closeDown(env, db, NOW);
    await createMember(worker);
    const living = async () =>
      worker.env.DB.prepare("select count(*) as n from account where ts_deleted is null").first<number>("n");
    await closeDown(env, db, NOW + 29 * DAY_MS);
    expect(await living()).toBe(1);
    // Killed on its last day before it says that accounts end, it has ended none, as it can be called off.
    const put = () => Promise.reject(new Error("killed"));
    const { get } = env.PICTURES;
    const killed = Object.assign(Object.create(env), { PICTURES: { get: get.bind(env.PICTURES), put } }) as typeof env;
    await expect(closeDown(killed, db, NOW + 30 * DAY_MS)).rejects.toThrow("killed");
    expect(await living()).toBe(1);

    const stays = Object.assign(Object.create(worker.env), { CLOSING_ON: "" }) as typeof worker.env;
    for (const day of [29, 59, 60]) await closeDown(stays, db, NOW + day * DAY_MS);
    expect([await living(), await publicActions()]).toEqual([1, ["site.closing", "site.stays"]]);
    expect(await listKeys(worker.env.PICTURES)).not.toContain("jobs/closing.json");
    // Announced again, the 30 days begin anew.
    await closeDown(env, db, NOW + 60 * DAY_MS);
    const state = await worker.env.PICTURES.get("jobs/closing.json");
    expect(await state?.json()).toMatchObject({ since: NOW + 60 * DAY_MS, mailedUpTo: 0, ended: false });
  });

  it("tells those who were told of the end, and nobody else, that it was called off", { tags: "slow" }, async () => {
    await worker.close();
    worker = await startSeparateWorker([workerWith(1)]);
    const [told, later] = [await createMember(worker), await createMember(worker)];
    const joined = worker.env.DB.prepare("update account set ts_created = ? where id = ?");
    await joined.bind(NOW - 1, told.id).run();
    await joined.bind(NOW + 1, later.id).run();
    const closing = { until: END, since: NOW, mailedUpTo: null, ended: false, erased: false };
    await worker.env.PICTURES.put("jobs/closing.json", JSON.stringify(closing));
    await minutes(4);
    const { subject, text } = await waitForMail(worker, told.email);
    expect([subject, text]).toEqual(["Ember stays", expect.stringContaining("nothing is erased on ")]);
    const mails = await (await worker.fetch("/dev/mail.json")).json<{ to: string }[]>();
    expect(mails.map(({ to }) => to)).toEqual([told.email]);
    expect(await publicActions()).toEqual(["site.stays"]);
    expect(await listKeys(worker.env.PICTURES)).not.toContain("jobs/closing.json");
  });
});
