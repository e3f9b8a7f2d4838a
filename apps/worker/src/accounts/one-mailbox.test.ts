/** A mailbox is one account, however its address is written, and a mail to one spelling opens no account of another. */
import { LOGIN_LINKS_PER_MAILBOX_MAX } from "@lambda/contract/limits";
import { createMember } from "@lambda/testing/member";
import { quickHash } from "@lambda/testing/password";
import { queryRows } from "@lambda/testing/scenes/positions";
import { createVisitor, listMails, type TestVisitor, waitForMail } from "@lambda/testing/visitor";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { beforeAll, describe, expect, it } from "vitest";
import { renewLattices } from "../places/positions/renew-lattices.ts";
import { batch, openDatabase } from "../platform/db/database.ts";
import { mailboxOf } from "./mailbox.ts";
import { insertAccountQueries } from "./queries.ts";

let worker: TestWorker;
beforeAll(async () => {
  worker = await startWorker();
});

const PASSWORD = "correct horse battery";
const passwordHash = quickHash(PASSWORD);

/** Requests a link, and waits for a mail to `to`; returns what the response shows, and what the mail contains. */
async function request(email: string, { to = email, cookie = "", visitor = createVisitor(worker) } = {}) {
  const earlier = (await listMails(worker, to)).length;
  const response = await visitor.fetch("/api/auth/register", {
    method: "POST",
    headers: { "content-type": "application/json", cookie },
    body: JSON.stringify({ email, acknowledgements: "cookies; adult; geolocation" }),
  });
  const { ticket } = (await response.json()) as { ticket: string };
  const { text } = await waitForMail(worker, to, earlier);
  return {
    shown: [response.status, [...response.headers.keys()].sort(), ticket.length],
    ticket,
    token: /token=([\w-]+)/.exec(text)?.[1] ?? "",
    asked: /plain_asked=[^;]+/.exec(response.headers.get("set-cookie") ?? "")?.[0] ?? "",
    digits: /^\d{6}$/m.exec(text)?.[0] ?? "",
    text,
  };
}

const open = (token: string, visitor: TestVisitor = createVisitor(worker)) =>
  visitor.send("POST", "/api/auth/token", { token, confirmed: true });
/** On the device that asked, which confirms nothing. */
const openAtOnce = ({ token, asked }: { token: string; asked: string }) =>
  createVisitor(worker).fetch("/api/auth/token", {
    method: "POST",
    headers: { "content-type": "application/json", cookie: asked },
    body: JSON.stringify({ token }),
  });
const logIn = (username: string, password = PASSWORD) =>
  createVisitor(worker).send("POST", "/api/auth", { username, password });
const accountsOf = (email: string) =>
  queryRows(worker, "select id, email from account where mailbox = ? order by id", mailboxOf(email));

async function ownerOf(response: Response): Promise<number> {
  expect(response.status).toBe(200);
  const cookie = /plain_session=[^;]+/.exec(response.headers.get("set-cookie") ?? "")?.[0] ?? "";
  const session = await createVisitor(worker).fetch("/api/session", { headers: { cookie } });
  return ((await session.json()) as { profileId: number }).profileId;
}

/** A member who registered before, with a password. */
async function createOwner(email: string, more: { freshProof?: boolean } = {}) {
  const member = await createMember(worker, { email, passwordHash, ...more });
  await queryRows(worker, "update account set mailbox = ? where id = ?", mailboxOf(email), member.id);
  return member;
}

describe.each([
  ["u@münchen.example", "u@xn--mnchen-3ya.example"],
  ["v@xn--mnchen-3ya.example", "V@MU\u0308NCHEN.example"],
  ["josé.one@example.test", "JOSE\u0301.ONE@example.test"],
  ["plain@example.test", "plain+tag@example.test"],
  ["zoe@example.test", "Zoé’s phone <mailto:ＺＯＥ%2Btag@exam\u00ADple. test>."],
  ["o'neill-p@example.test", "Email: o’neill–p@ｅｘａｍｐｌｅ。test"],
  ["tagged+one@example.test", "tagged+two@example.test"],
  ["some.body@gmail.com", "somebody+x@googlemail.com"],
  ["ipek@example.test", "İpek@example.test"],
  ["İrem@example.test", "irem@example.test"],
])("the account of %s", (own, other) => {
  it(`is the one that ${other} means, and all its mail goes to its own spelling`, async () => {
    const visitor = createVisitor(worker);
    const unknown = await request(`nobody-${own}`);
    const first = await request(own);
    const id = await ownerOf(await open(first.token));
    await queryRows(worker, "update account set password_hash = ? where id = ?", passwordHash, id);

    const again = await request(other, { to: own, visitor });
    expect([first.shown, again.shown]).toEqual([unknown.shown, unknown.shown]);
    expect(await ownerOf(await open(again.token))).toBe(id);
    const { ticket, digits } = await request(other, { to: own, visitor });
    expect(await ownerOf(await visitor.send("POST", "/api/auth/digits", { ticket, digits }))).toBe(id);
    expect(await ownerOf(await logIn(other))).toBe(id);
    expect((await logIn(other, "wrong")).status).toBe(401);
    expect(await accountsOf(own)).toEqual([{ id, email: own }]);
    const spellings = new Set([other, other.toLowerCase(), other.normalize("NFC"), mailboxOf(other)]);
    spellings.delete(own);
    for (const spelling of spellings) expect(await listMails(worker, spelling), spelling).toEqual([]);
  });
});

it("two registrations at once, under two spellings, give one account, and only its own mail opens it", async () => {
  // The second may be a stranger's at a provider that tells them apart.
  const [victim, stranger] = [await request("aylin.i@example.test"), await request("aylin.İ@example.test")];
  expect(victim.text).toContain("token=");
  const responses = await Promise.all([open(victim.token), open(stranger.token)]);
  expect(responses.map(({ status }) => status).sort()).toEqual([200, 401]);
  expect(await accountsOf("aylin.i@example.test")).toHaveLength(1);
  // Used up, or refused while the account exists.
  for (const { token } of [victim, stranger]) expect((await open(token)).status).toBe(401);
});

it("a registration that loses the race to write inserts neither an account nor a profile", async () => {
  const { id } = await createOwner("slow@example.test");
  const { DB } = worker.env;
  const account = {
    email: "slow+tag@example.test",
    mailbox: "slow@example.test",
    home_brand: "ember",
    locale: "en" as const,
    acknowledgements: "",
    network: 0,
    lattices: new Uint8Array(48),
    passkey_handle: "",
    ts_created: Date.now(),
  };
  const profiles = () => queryRows(worker, "select count(*) as n from profile");
  const before = await profiles();
  await batch(DB, insertAccountQueries(openDatabase(DB), account, { shared_on: 1, random_order: 0 }));
  expect([await accountsOf("slow@example.test"), await profiles()]).toEqual([
    [{ id, email: "slow@example.test" }],
    before,
  ]);
});

it("a code is accepted in the password field under any spelling, and an old one under none", async () => {
  const { token } = await request("field+tag@example.test");
  const [, code = ""] = Buffer.from(token, "base64url").toString().split(":");
  expect((await logIn("somebody.else@example.test", code)).status).toBe(401);
  expect((await logIn("Field@example.test", code)).status).toBe(200);
  expect((await logIn("field@example.test", code)).status).toBe(401);
});

it("a link to another spelling than the one typed asks first whose account to open", async () => {
  await createOwner("careful@example.test");
  const response = await openAtOnce(await request("careful+tag@example.test", { to: "careful@example.test" }));
  expect(await response.json()).toMatchObject({ error: { code: "LINK_UNCONFIRMED" } });
});

it.each([
  ["asks@münchen.example", "asks@xn--mnchen-3ya.example"],
  ["wide@xn--mnchen-3ya.example", "ＷＩＤＥ@MU\u0308NCHEN.example."],
  ["josé.asks@example.test", "JOSE\u0301.ASKS@example.test"],
])("a link to %s opens at once on the device that asked for one to %s", async (own, typed) => {
  await createOwner(own);
  expect((await openAtOnce(await request(typed, { to: own }))).status).toBe(200);
});

it("a device that logged in is known under every spelling", async () => {
  const { email } = await createOwner("known.device@gmail.com");
  const cookie = /plain_device=[^;]+/.exec((await logIn(email)).headers.get("set-cookie") ?? "")?.[0] ?? "";
  for (let count = 0; count < LOGIN_LINKS_PER_MAILBOX_MAX; count += 1) await request(email);
  await request("knowndevice+tag@googlemail.com", { to: email, cookie });
});

describe("a change of address", () => {
  const change = async (me: { send: TestVisitor["send"] }, email: string) =>
    expect((await me.send("PUT", "/api/settings", { email })).status).toBe(200);
  const confirm = async (me: { send: TestVisitor["send"] }, email: string, text: string) =>
    me.send("POST", "/api/settings/email-confirmation", { email, token: /confirm=([\w-]+)/.exec(text)?.[1] });

  it("may choose another spelling of the own mailbox, even if it has a second account from before", async () => {
    const me = await createOwner("own@münchen.example", { freshProof: true });
    const second = await createOwner("own+b@münchen.example");
    await change(me, "own@xn--mnchen-3ya.example");
    const { text } = await waitForMail(worker, "own@xn--mnchen-3ya.example");
    expect((await confirm(me, "own+c@münchen.example", text)).status).toBe(401);
    expect((await confirm(me, "OWN@mu\u0308nchen.example", text)).status).toBe(200);
    expect(await accountsOf("own@münchen.example")).toEqual([
      { id: me.id, email: "own@xn--mnchen-3ya.example" },
      { id: second.id, email: second.email },
    ]);
  });

  it("to another member's mailbox is told to that member alone, at their own spelling", async () => {
    const [me, owner] = [
      await createOwner("changes@example.test", { freshProof: true }),
      await createOwner("owner@example.test"),
    ];
    await change(me, "owner+mine@example.test");
    expect((await waitForMail(worker, owner.email)).text).not.toContain("confirm=");
    expect(await listMails(worker, "owner+mine@example.test")).toEqual([]);
  });

  it("is refused if the mailbox has got an account before the confirmation", async () => {
    const me = await createOwner("late@example.test", { freshProof: true });
    await change(me, "wanted+tag@example.test");
    const { text } = await waitForMail(worker, "wanted+tag@example.test");
    await createOwner("wanted@example.test");
    expect((await confirm(me, "wanted+tag@example.test", text)).status).toBe(409);
    expect(await accountsOf("late@example.test")).toMatchObject([{ id: me.id }]);
  });
});

it("a banned member's other spellings lead to the account with the reason, and make no new one", async () => {
  const member = await createOwner("bad.man@gmail.com");
  await queryRows(worker, "update profile set status = 'banned' where id = ?", member.id);
  const { token } = await request("badman+again@googlemail.com", { to: member.email });
  expect(await ownerOf(await open(token))).toBe(member.id);
  expect(await accountsOf(member.email)).toHaveLength(1);
});

describe("two accounts of one mailbox, from before it had only one,", () => {
  const notices = (id: number) =>
    queryRows(worker, "select body_text, body_es, url from notification where profile_id = ? order by id", id);

  it("both keep working, and each is asked once whether both are wanted", async () => {
    const [older, newer] = [await createOwner("twice@example.test"), await createOwner("twice+b@example.test")];
    await queryRows(worker, "update account set locale = 'es', password_hash = null where id = ?", newer.id);
    const asked = {
      url: "/settings#data",
      body_text: expect.stringContaining("second account"),
      body_es: expect.stringContaining("Otra cuenta"),
    };
    for (let count = 0; count < 2; count += 1) {
      expect(await ownerOf(await logIn(older.email))).toBe(older.id);
      await expect.poll(() => notices(older.id)).toEqual([asked]);
    }
    const { token } = await request(newer.email);
    expect(await ownerOf(await open(token))).toBe(newer.id);
    await expect.poll(() => notices(newer.id)).toEqual([asked]);
    // Nobody who looks over a shoulder learns the other spelling.
    expect(JSON.stringify(await notices(older.id))).not.toContain("twice");
    // A third spelling means the one with a password.
    expect(await ownerOf(await logIn("twice+c@example.test"))).toBe(older.id);
    expect(await accountsOf(older.email)).toHaveLength(2);
  });

  it("may come about while the hourly job has not stored the older one's mailbox yet, and are never merged", async () => {
    const older = await createMember(worker, { email: "window@example.test", passwordHash, freshProof: true });
    const stored = () => queryRows(worker, "select mailbox from account where id = ?", older.id);
    expect(await stored()).toEqual([{ mailbox: null }]);
    // By password, by link and by digits, the older one opens by its own spelling.
    expect(await ownerOf(await logIn(older.email))).toBe(older.id);
    expect(await ownerOf(await open((await request(older.email)).token))).toBe(older.id);
    const visitor = createVisitor(worker);
    const { ticket, digits } = await request(older.email, { visitor });
    expect(await ownerOf(await visitor.send("POST", "/api/auth/digits", { ticket, digits }))).toBe(older.id);
    // Another spelling means no account yet: it opens nothing of the older one, and its mail goes to itself.
    expect((await logIn("window+b@example.test")).status).toBe(401);
    const newer = await ownerOf(await open((await request("window+b@example.test")).token));
    expect(newer).not.toBe(older.id);
    expect(await notices(newer)).toEqual([]);

    await renewLattices(worker.env, 1000);
    expect(await accountsOf(older.email)).toEqual([
      { id: older.id, email: older.email },
      { id: newer, email: "window+b@example.test" },
    ]);
    expect(await ownerOf(await logIn(older.email))).toBe(older.id);
    await queryRows(worker, "update account set password_hash = ? where id = ?", passwordHash, newer);
    expect(await ownerOf(await logIn("window+b@example.test"))).toBe(newer);
    const asked = {
      url: "/settings#data",
      body_text: expect.stringContaining("second account"),
      body_es: expect.stringContaining("Otra cuenta"),
    };
    for (const id of [older.id, newer]) await expect.poll(() => notices(id)).toEqual([asked]);
  });

  it("are one again for the member once the other is being deleted", async () => {
    const [kept, left] = [await createOwner("once@example.test"), await createOwner("once+b@example.test")];
    await queryRows(worker, "update account set ts_deleted = ? where id = ?", Date.now(), kept.id);
    expect(await ownerOf(await logIn("once+c@example.test"))).toBe(left.id);
    // Logged in later, so an earlier notification would be there by now.
    await createOwner("later@example.test");
    await createOwner("later+b@example.test");
    const later = await ownerOf(await logIn("later@example.test"));
    await expect.poll(() => notices(later)).toHaveLength(1);
    expect(await notices(left.id)).toEqual([]);
  });
});
