import { EMAIL_CHANGES_PER_DAY_MAX } from "@lambda/contract/limits";
import { createMember, logIn, type TestMember } from "@lambda/testing/member";
import { quickHash } from "@lambda/testing/password";
import { createVisitor, listMails, waitForMail } from "@lambda/testing/visitor";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { beforeAll, describe, expect, it } from "vitest";
import { verifyPassword } from "../passwords.ts";

const PASSWORD = "correct horse battery";

let worker: TestWorker;
let passwordHash: string;
beforeAll(async () => {
  worker = await startWorker();
  passwordHash = quickHash(PASSWORD);
});

function account(member: TestMember) {
  return worker.env.DB.prepare("select name, email, email_pending, password_hash, locale from account where id = ?")
    .bind(member.id)
    .first<{ name: string; email: string; email_pending: string | null; password_hash: string; locale: string }>();
}

async function error(response: Response) {
  return ((await response.json()) as { error: { code: string; field?: string; message: string } }).error;
}

describe("settings", () => {
  it("return the member's own account without hashes", async () => {
    const me = await createMember(worker, { passwordHash, adminBrand: "ember" });
    const settings = await me.get<Record<string, unknown>>("/api/settings");
    expect(settings).toMatchObject({
      defaultProfileId: me.id,
      email: me.email,
      hasPassword: true,
      roles: ["USER", "ADMIN"],
      pushSubscriptions: [],
      sharedOn: 1,
      homeBrand: "ember",
      fresh: false,
    });
    expect(JSON.stringify(settings)).not.toContain("scrypt");
  });

  it("store name and language at once, including Unicode, and reject an empty name", async () => {
    const me = await createMember(worker);
    expect((await me.send("PUT", "/api/settings", { name: "  Zoë 🐻 山田 ", locale: "es" })).status).toBe(200);
    expect(await account(me)).toMatchObject({ name: "Zoë 🐻 山田", locale: "es" });
    const empty = await me.send("PUT", "/api/settings", { name: "   " });
    expect(empty.status).toBe(400);
    expect(await error(empty)).toMatchObject({ code: "BAD_INPUT", field: "name" });
    expect((await me.send("PUT", "/api/settings", { name: "x".repeat(10_000_000) })).status).toBe(400);
  });
});

describe("a new password", () => {
  it("needs the current one, then ends every other session", async () => {
    const me = await createMember(worker, { passwordHash });
    const elsewhere = await me.onBrand("ember");
    const without = await me.send("PUT", "/api/settings", { password: "a brand new secret" });
    expect(without.status).toBe(403);
    expect(await error(without)).toMatchObject({ code: "CONFIRMATION_NEEDED", field: "currentPassword" });
    const wrong = await me.send("PUT", "/api/settings", { password: "a brand new secret", currentPassword: "wrong" });
    expect(wrong.status).toBe(403);
    expect((await elsewhere.fetch("/api/settings")).status).toBe(200);

    const right = await me.send("PUT", "/api/settings", { password: "a brand new secret", currentPassword: PASSWORD });
    expect(right.status).toBe(200);
    expect(await verifyPassword("a brand new secret", (await account(me))?.password_hash)).toBe(true);
    expect((await me.fetch("/api/settings")).status).toBe(200);
    expect((await elsewhere.fetch("/api/settings")).status).toBe(401);
    expect((await waitForMail(worker, me.email)).subject).toContain("password");
  });

  it.each([
    ["it's me -- really", "it’s me — really"],
    ["it’s “me” – really", 'it\'s "me" - really'],
  ])("opens the account from every keyboard: %s, %s", async (set, typed) => {
    const me = await createMember(worker, { freshProof: true });
    const logIn = (password: string) =>
      createVisitor(worker).send("POST", "/api/auth", { username: me.email, password });
    expect((await me.send("PUT", "/api/settings", { password: set })).status).toBe(200);
    for (const password of [set, typed]) expect((await logIn(password)).status).toBe(200);
    expect((await me.send("POST", "/api/proof/password", { currentPassword: typed })).status).toBe(200);
    expect((await logIn("its me - really")).status).toBe(401);
    // Hashed as it was typed, before spellings were folded.
    await worker.run({ query: "update account set password_hash = ? where id = ?", values: [quickHash(set), me.id] });
    expect((await logIn(set)).status).toBe(200);
  });

  it("needs no current password after a fresh login, but does after an old one", async () => {
    const fresh = await createMember(worker, { freshProof: true });
    expect((await fresh.send("PUT", "/api/settings", { password: "a brand new secret" })).status).toBe(200);
    const stale = await createMember(worker, { freshProof: true });
    await worker.env.DB.prepare("update session set ts_proved = ts_proved - 3600000 where account_id = ?")
      .bind(stale.id)
      .run();
    expect((await stale.send("PUT", "/api/settings", { password: "a brand new secret" })).status).toBe(403);
  });

  it("must be long and uncommon", async () => {
    const me = await createMember(worker, { freshProof: true });
    for (const password of ["short", "password123"]) {
      const response = await me.send("PUT", "/api/settings", { password });
      expect(response.status).toBe(400);
      expect(await error(response)).toMatchObject({ field: "password" });
    }
    expect((await account(me))?.password_hash).toBeNull();
  });

  it("is rejected together with everything else in the request", async () => {
    const me = await createMember(worker, { freshProof: true });
    const before = await account(me);
    const weak = { name: "New", email: "weak@example.test", password: "password123" };
    expect((await me.send("PUT", "/api/settings", weak)).status).toBe(400);
    expect(await account(me)).toEqual(before);
    for (let count = 0; count < EMAIL_CHANGES_PER_DAY_MAX; count += 1) {
      expect((await me.send("PUT", "/api/settings", { email: `new-${count}@example.test` })).status).toBe(200);
    }
    const pending = await account(me);
    const late = { name: "New", email: "late@example.test", password: "a brand new secret" };
    expect((await me.send("PUT", "/api/settings", late)).status).toBe(429);
    expect(await account(me)).toEqual(pending);
  });

  it("takes five new passwords a day, mails once, and still takes one of a new session", async () => {
    const me = await createMember(worker, { freshProof: true });
    const change = async (member: TestMember, index: number) =>
      (await member.send("PUT", "/api/settings", { password: `a brand new secret ${index}` })).status;
    await worker.env.DB.prepare("delete from mail_queue").run();
    const statuses: number[] = [];
    for (let index = 0; index < 6; index += 1) statuses.push(await change(me, index));
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
    // Whoever used them up must not keep the owner from ending that.
    const owner = await me.onBrand(me.brand);
    expect([await change(owner, 7), await change(owner, 8)]).toEqual([200, 429]);
    await waitForMail(worker, me.email);
    const { results } = await worker.env.DB.prepare("select attempts from mail_queue").all();
    expect([(await listMails(worker, me.email)).length, results]).toEqual([1, [{ attempts: 0 }]]);
  });

  it("limits guesses of the current password", async () => {
    const me = await createMember(worker, { passwordHash });
    for (let guess = 0; guess < 10; guess += 1) {
      await me.send("PUT", "/api/settings", { password: "a brand new secret", currentPassword: `guess ${guess}` });
    }
    const capped = await me.send("PUT", "/api/settings", { password: "a brand new secret", currentPassword: PASSWORD });
    expect(capped.status).toBe(429);
  });
});

describe("a new address", () => {
  async function requestChange(me: TestMember, email: string): Promise<string> {
    const earlier = (await listMails(worker, email)).length;
    expect((await me.send("PUT", "/api/settings", { email })).status).toBe(200);
    const { text } = await waitForMail(worker, email, earlier);
    return /confirm=([\w-]+)/.exec(text)?.[1] ?? "";
  }

  const confirm = async (me: TestMember, token: string, email: string) => {
    const response = await me.send("POST", "/api/settings/email-confirmation", { token, email });
    return response.ok ? response.status : (await error(response)).code;
  };

  it("takes effect when its link is confirmed, once, and the old address is notified before and after", async () => {
    const me = await createMember(worker, { freshProof: true });
    const elsewhere = await me.onBrand("ember");
    const token = await requestChange(me, "moved@example.test");
    expect(await account(me)).toMatchObject({ email: me.email, email_pending: "moved@example.test" });
    const warning = await waitForMail(worker, me.email);
    expect(warning.text).toContain("stop it within 10 minutes");
    // Somebody else may read the old mailbox.
    expect(JSON.stringify(warning)).not.toMatch(/moved|confirm=/);

    const code = await requestChange(me, "moved-again@example.test");
    // A newer request makes the first link worthless, and a code confirms only the address that was shown.
    expect(await confirm(me, token, "moved@example.test")).toBe("LINK_EXPIRED");
    expect(await confirm(me, token, "moved-again@example.test")).toBe("LINK_EXPIRED");
    expect(await confirm(me, code, "moved@example.test")).toBe("LINK_EXPIRED");
    expect(await confirm(me, code, "moved-again@example.test")).toBe(200);
    expect(await account(me)).toMatchObject({ email: "moved-again@example.test", email_pending: null });
    expect((await elsewhere.fetch("/api/settings")).status).toBe(401);
    expect((await waitForMail(worker, me.email, 1)).subject).toContain("address for Ember was changed");
    expect(await confirm(me, code, "moved-again@example.test")).toBe("LINK_EXPIRED");
  });

  it("is not confirmed by another account, whose try does not use the code up, nor without a fresh proof", async () => {
    const [me, stranger] = [
      await createMember(worker, { freshProof: true }),
      await createMember(worker, { freshProof: true }),
    ];
    const email = "only-mine@example.test";
    const code = await requestChange(me, email);
    expect(await confirm(stranger, code, email)).toBe("LINK_EXPIRED");
    // Not even if the stranger asked for the same address.
    await worker.env.DB.prepare("update account set email_pending = ? where id = ?").bind(email, stranger.id).run();
    expect(await confirm(stranger, code, email)).toBe("LINK_EXPIRED");
    await worker.env.DB.prepare("update session set ts_proved = 0 where account_id = ?").bind(me.id).run();
    expect(await confirm(me, code, email)).toBe("CONFIRMATION_NEEDED");
    expect(await account(me)).toMatchObject({ email: me.email, email_pending: email });
    await worker.env.DB.prepare("update session set ts_proved = ? where account_id = ?").bind(Date.now(), me.id).run();
    expect(await confirm(me, code, email)).toBe(200);
  });

  /** What ends a change that somebody with the owner's fresh session requested. `by` is the owner's session afterwards. */
  const ENDINGS: Record<string, (owner: TestMember) => Promise<unknown>> = {
    "a new password": (owner) =>
      owner.send("PUT", "/api/settings", { password: "a brand new secret", currentPassword: PASSWORD }),
    "a new proof": (owner) => owner.send("POST", "/api/proof/password", { currentPassword: PASSWORD }),
    "the end of the session that asked": async (owner) => {
      const sessions = await owner.get<{ id: number; thisDevice: boolean }[]>("/api/sessions");
      const thief = sessions.find(({ thisDevice }) => !thisDevice);
      return owner.send("DELETE", `/api/session/${thief?.id}`);
    },
    '"log out everywhere"': (owner) => owner.send("DELETE", "/api/sessions"),
    "saving the old address": (owner) => owner.send("PUT", "/api/settings", { email: owner.email }),
  };

  it.each(Object.entries(ENDINGS))("that a thief requested is ended by %s", async (name, end) => {
    const owner = await createMember(worker, { passwordHash });
    const thief = await owner.onBrand("ember");
    const email = `thief-${owner.id}@example.test`;
    await worker.env.DB.prepare("update session set ts_proved = ? where account_id = ?")
      .bind(Date.now(), owner.id)
      .run();
    const code = await requestChange(thief, email);
    await end(owner);
    const afterwards = name === '"log out everywhere"' ? await logIn(worker, owner.id) : owner;
    const { DB } = worker.env;
    await DB.prepare("update session set ts_proved = ? where account_id = ?").bind(Date.now(), owner.id).run();
    // The owner opens the thief's link and even agrees.
    expect(await confirm(afterwards, code, email)).toBe("LINK_EXPIRED");
    expect((await account(owner))?.email).toBe(owner.email);
  });

  it("that a thief requested in the owner's own session is ended by a new password", async () => {
    const me = await createMember(worker, { freshProof: true });
    const code = await requestChange(me, "thief@example.test");
    expect((await me.send("PUT", "/api/settings", { password: "a brand new secret" })).status).toBe(200);
    expect(await account(me)).toMatchObject({ email: me.email, email_pending: null });
    expect(await confirm(me, code, "thief@example.test")).toBe("LINK_EXPIRED");
  });

  it("is not shown as pending after a login in the same browser, which ends its link", async () => {
    const me = await createMember(worker, { passwordHash, freshProof: true });
    await requestChange(me, `pending-${me.id}@example.test`);
    expect((await me.send("POST", "/api/auth", { username: me.email, password: PASSWORD })).status).toBe(200);
    expect(await account(me)).toMatchObject({ email: me.email, email_pending: null });
  });

  it("survives the proof that its own confirmation asks for", async () => {
    const me = await createMember(worker, { passwordHash, freshProof: true });
    const code = await requestChange(me, "proved@example.test");
    const proof = { currentPassword: PASSWORD, keepsEmailChange: true };
    expect((await me.send("POST", "/api/proof/password", proof)).status).toBe(200);
    expect(await confirm(me, code, "proved@example.test")).toBe(200);
  });

  it("takes effect in one request with a new password", async () => {
    const me = await createMember(worker, { freshProof: true });
    const email = "with-password@example.test";
    expect((await me.send("PUT", "/api/settings", { email, password: "a brand new secret" })).status).toBe(200);
    const code = /confirm=([\w-]+)/.exec((await waitForMail(worker, email)).text)?.[1] ?? "";
    expect(await confirm(me, code, email)).toBe(200);
  });

  it("returns 409 if another account takes it between the check and the write", async () => {
    const me = await createMember(worker, { freshProof: true });
    const quicker = await createMember(worker);
    const token = await requestChange(me, "wanted@example.test");
    const { DB } = worker.env;
    await DB.exec(
      `create trigger quicker before update of email on account when old.id = ${me.id} begin update account set email = new.email where id = ${quicker.id}; end`,
    );
    const confirmation = { token, email: "wanted@example.test" };
    const response = await me.send("POST", "/api/settings/email-confirmation", confirmation);
    await DB.exec("drop trigger quicker");
    expect(response.status).toBe(409);
    expect(await account(me)).toMatchObject({ email: me.email });
  });

  it("that belongs to another account gets the same response, and only its owner is notified", async () => {
    const other = await createMember(worker, { email: "taken@example.test" });
    const me = await createMember(worker, { freshProof: true });
    const response = await me.send("PUT", "/api/settings", { email: other.email });
    expect(response.status).toBe(200);
    const mail = await waitForMail(worker, other.email);
    expect(mail.text).not.toContain("confirm=");
    expect(await account(me)).toMatchObject({ email: me.email });
  });

  it("is rejected when malformed", async () => {
    const me = await createMember(worker, { freshProof: true });
    const response = await me.send("PUT", "/api/settings", { email: "no-address" });
    expect(response.status).toBe(400);
    expect(await error(response)).toMatchObject({ field: "email" });
  });
});

describe("sister brands", () => {
  it("are chosen by the member, and the home brand always shows them", async () => {
    const me = await createMember(worker);
    expect(await me.get("/api/session")).toMatchObject({ sharingChosen: false, sharedOn: 1 });
    const response = await me.send("PUT", "/api/settings/sharing", { sharedOn: 2 + 32 });
    expect(await response.json()).toEqual({ sharedOn: 1 + 2 });
    expect(await me.get("/api/session")).toMatchObject({ sharingChosen: true, sharedOn: 3 });
    const row = await worker.env.DB.prepare("select shared_on, listed_on from profile where id = ?")
      .bind(me.id)
      .first();
    expect(row).toEqual({ shared_on: 3, listed_on: 3 });
  });

  it("are left by a member whose home brand was removed", async () => {
    const me = await createMember(worker, { sharedOn: 3 });
    await worker.run({ query: "update account set home_brand = 'gone' where id = ?", values: [me.id] });
    const response = await me.send("PUT", "/api/settings/sharing", { sharedOn: 2 });
    expect(await response.json()).toEqual({ sharedOn: 2 });
  });
});

describe("sessions", () => {
  it("are listed with device and last use, and end one by one or all at once", async () => {
    const me = await createMember(worker);
    const phone = await me.onBrand("ember");
    const tablet = await me.onBrand("harbor");
    const list = await me.get<{ id: number; thisDevice: boolean; brand: string }[]>("/api/sessions");
    expect(list).toHaveLength(3);
    expect(list.filter((session) => session.thisDevice)).toHaveLength(1);

    const [phoneSession] = (await phone.get<typeof list>("/api/sessions")).filter((session) => session.thisDevice);
    expect((await me.send("DELETE", `/api/session/${phoneSession?.id}`)).status).toBe(204);
    expect((await phone.fetch("/api/sessions")).status).toBe(401);

    const stranger = await createMember(worker);
    const [own] = await stranger.get<typeof list>("/api/sessions");
    expect((await me.send("DELETE", `/api/session/${own?.id}`)).status).toBe(404);
    expect((await stranger.fetch("/api/sessions")).status).toBe(200);

    expect((await me.send("DELETE", "/api/sessions")).status).toBe(204);
    expect((await me.fetch("/api/sessions")).status).toBe(401);
    expect((await tablet.fetch("/api/sessions")).status).toBe(401);
  });
});

it("changes nothing that its owner is warned of by mail without that mail", async () => {
  const WORDS = "abandon ability able about above absent absorb abstract";
  const me = await createMember(worker, { passwordHash, freshProof: true });
  const acts: ["PUT" | "POST" | "DELETE", string, object][] = [
    ["PUT", "/api/settings", { password: "another horse battery" }],
    ["PUT", "/api/settings", { email: "warned@example.test" }],
    ["PUT", "/api/recovery-words", { words: WORDS }],
    ["POST", "/api/lockdown-signal", { tokenHash: "ab".repeat(32), hours: 72 }],
    ["POST", "/api/account/export", {}],
    ["DELETE", "/api/sessions", {}],
    ["POST", "/api/account/deletion", {}],
  ];
  await worker.env.DB.exec(
    "create trigger broken before insert on mail_queue begin select raise(abort, 'broken'); end",
  );
  const refused: unknown[] = [];
  for (const [method, path, body] of acts) refused.push([path, (await me.send(method, path, body)).status]);
  await worker.env.DB.exec("drop trigger broken");
  expect(refused).toEqual(acts.map(([, path]) => [path, 500]));
  const [stored] = (await worker.run({ query: "select * from account where id = ?", values: [me.id] })) as object[][];
  expect(stored).toMatchObject([
    { ts_deleted: null, ts_exported: null, password_hash: passwordHash, email_pending: null },
  ]);
  expect(await me.get("/api/lockdown")).toEqual({ words: null, signals: [] });
});
