/** What the token of a second PIN triggers, how a lock-down ends, and that no login reveals it. */
import { SOCKET_CLOSE_ENDED } from "@lambda/contract/events";
import { HOUR_MS, LOCKDOWN_DEVICES_MAX, LOGIN_FAILURES_MAX } from "@lambda/contract/limits";
import { createMember, type TestMember } from "@lambda/testing/member";
import { quickHash } from "@lambda/testing/password";
import { openSocket } from "@lambda/testing/socket";
import { createVisitor, listMails, waitForMail } from "@lambda/testing/visitor";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { beforeAll, describe, expect, it } from "vitest";
import { newToken } from "../sessions/tokens.ts";

const NIGHTLY = "17 3 * * *";
const PASSWORD = "a long password 17";
const WORDS = "abandon ability able about above absent absorb abstract";
const ACCEPTED = "cookies; adult; geolocation";

let worker: TestWorker;
let passwordHash: string;
beforeAll(async () => {
  worker = await startWorker();
  passwordHash = quickHash(PASSWORD);
});

const all = async <Row>(sql: string, ...values: unknown[]) =>
  (
    await worker.env.DB.prepare(sql)
      .bind(...values)
      .all<Row>()
  ).results;

const hashOf = async (token: string) =>
  Buffer.from(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(token))).toString("hex");

/** A member with a password whose device has a second PIN; `fire` enters it. */
async function prepared(hours = 72) {
  const member = await createMember(worker, { freshProof: true });
  await all("update account set password_hash = ? where id = ?", passwordHash, member.id);
  const token = newToken();
  expect((await prepare(member, token, hours)).status).toBe(204);
  return { member, token, fire: () => unlock(token) };
}

const prepare = async (member: TestMember, token: string, hours: number) =>
  member.send("POST", "/api/lockdown-signal", { tokenHash: await hashOf(token), hours });
const unlock = (token: string, member?: TestMember) =>
  (member ?? createVisitor(worker)).send("POST", "/api/unlock", { token });

async function logIn(email: string, password: string, now = Date.now()) {
  const response = await createVisitor(worker).fetch("/api/auth", {
    method: "POST",
    headers: { "content-type": "application/json", "x-development-now": String(now) },
    body: JSON.stringify({ username: email, password }),
  });
  return { status: response.status, cookies: response.headers.get("set-cookie"), text: await response.text() };
}

async function requestLink(email: string) {
  const visitor = createVisitor(worker);
  const response = await visitor.send("POST", "/api/auth/register", { email, acknowledgements: ACCEPTED });
  const { ticket } = (await response.json()) as { ticket: string };
  const mail = (await waitForMail(worker, email)).text;
  return { visitor, ticket, token: /token=([\w-]+)/.exec(mail)?.[1], digits: /^\d{6}$/m.exec(mail)?.[0] };
}

describe("a second PIN", () => {
  it("hides its member and ends their sessions, sockets, pushes and links at once", async () => {
    const { member, fire } = await prepared();
    const other = await createMember(worker);
    const elsewhere = await member.onBrand("harbor");
    await all(
      `insert into push_subscription (profile_id, device_name, endpoint, auth_base64, p256dh_base64, brand, ts_created)
       values (?, 'Phone', 'https://push.example/' || ?, 'a', 'b', 'ember', 1)`,
      member.id,
      member.id,
    );
    const socket = await openSocket(worker, member);
    const link = await requestLink(member.email);
    expect((await other.fetch(`/api/profile/${member.id}`)).status).toBe(200);

    expect((await fire()).status).toBe(204);
    expect(await socket.closed).toBe(SOCKET_CLOSE_ENDED);
    expect((await other.fetch(`/api/profile/${member.id}`)).status).toBe(404);
    for (const session of [member, elsewhere]) expect((await session.fetch("/api/settings")).status).toBe(401);
    expect(await all("select 1 from push_subscription where profile_id = ?", member.id)).toEqual([]);

    const late = await link.visitor.send("POST", "/api/auth/token", { token: link.token, confirmed: true });
    expect([late.status, await late.text()]).toEqual([401, expect.stringContaining("LINK_EXPIRED")]);
    const digits = { ticket: link.ticket, digits: link.digits, remember: true };
    const typed = await link.visitor.send("POST", "/api/auth/digits", digits);
    expect([typed.status, await typed.text()]).toEqual([401, expect.stringContaining("CODE_WRONG")]);
  });

  it("returns the same bytes as any other token, with or without a session", async () => {
    const { member, fire } = await prepared();
    const bytes = async (response: Response) => {
      // Only development builds report the cost of the database.
      const headers = [...response.headers].filter(([name]) => !/^(x-request-id|date|x-d1-.*)$/.test(name));
      return [response.status, headers, await response.text()];
    };
    const ordinary = await bytes(await unlock(newToken(), member));
    expect(await bytes(await unlock(newToken()))).toEqual(ordinary);
    expect(await bytes(await fire())).toEqual(ordinary);
    // Replayed.
    expect(await bytes(await fire())).toEqual(ordinary);
    expect(JSON.stringify(ordinary)).not.toContain("set-cookie");
  });

  it("is prepared for one's own account only, and ignores forged and foreign tokens", async () => {
    const { member, token, fire } = await prepared();
    const thief = await createMember(worker, { freshProof: true });
    for (const bad of ["", "x", `${token}x`, "a".repeat(5000), await hashOf(token)]) {
      const response = await unlock(bad);
      expect(await response.json()).toMatchObject({ error: { code: "BAD_INPUT", field: "token" } });
    }
    for (const bad of [{ hours: 0 }, { hours: 721 }, { hours: 1.5 }, { tokenHash: "AB" }]) {
      const body = { tokenHash: "a".repeat(64), hours: 72, ...bad };
      const response = await thief.send("POST", "/api/lockdown-signal", body);
      expect(await response.json()).toMatchObject({ error: { field: Object.keys(bad)[0] } });
    }
    // A copied hash still belongs to its owner.
    expect((await prepare(thief, token, 1)).status).toBe(204);
    await fire();
    expect((await thief.fetch("/api/settings")).status).toBe(200);
    expect((await member.fetch("/api/settings")).status).toBe(401);
  });

  it("keeps the newest devices and does not appear in the settings", async () => {
    const { member, fire } = await prepared();
    const settings = await member.get<object>("/api/settings");
    expect(JSON.stringify(settings)).not.toMatch(/lock|recover/i);
    for (let count = 0; count < LOCKDOWN_DEVICES_MAX; count += 1) await prepare(member, newToken(), 1);
    expect(await all("select 1 from lockdown_signal where account_id = ?", member.id)).toHaveLength(
      LOCKDOWN_DEVICES_MAX,
    );
    await fire();
    expect((await member.fetch("/api/settings")).status).toBe(200);
    for (let count = 0; count < 10; count += 1) await prepare(member, newToken(), 1);
    expect((await prepare(member, newToken(), 1)).status).toBe(429);
  });
});

describe("a login while locked down", () => {
  it("fails like a wrong password, and works again after the chosen time", async () => {
    const { member, fire } = await prepared(5);
    await fire();
    const wrong = await logIn(member.email, "another password 17");
    expect(wrong).toMatchObject({ status: 401, cookies: null, text: expect.stringContaining("LOGIN_FAILED") });
    expect(await logIn(member.email, PASSWORD)).toEqual(wrong);
    expect(await logIn("nobody@example.test", PASSWORD)).toEqual(wrong);
    expect(await logIn(member.email, PASSWORD, Date.now() + 4.9 * HOUR_MS)).toEqual(wrong);
    const after = Date.now() + 5.1 * HOUR_MS;
    expect(await logIn(member.email, PASSWORD, after)).toMatchObject({ status: 200 });
    // Still hidden: the member decides when to be seen again.
    expect(await all("select hidden from profile where id = ?", member.id)).toEqual([{ hidden: 1 }]);
    await worker.runCron(NIGHTLY, after);
    expect(await all("select ts_until from lockdown where account_id = ?", member.id)).toEqual([{ ts_until: 0 }]);
  });

  it("counts correct passwords as failures", async () => {
    const { member, fire } = await prepared();
    await fire();
    const visitor = createVisitor(worker);
    const statuses: number[] = [];
    for (let count = 0; count <= LOGIN_FAILURES_MAX; count += 1) {
      const response = await visitor.send("POST", "/api/auth", { username: member.email, password: PASSWORD });
      statuses.push(response.status);
    }
    expect(statuses).toEqual([...Array<number>(LOGIN_FAILURES_MAX).fill(401), 429]);
  });

  it("gets the usual response but no mail", async () => {
    const { member, fire } = await prepared();
    await fire();
    const requestMail = async (email: string) => {
      const response = await createVisitor(worker).send("POST", "/api/auth/register", {
        email,
        acknowledgements: ACCEPTED,
      });
      return [response.status, Object.keys((await response.json()) as object)];
    };
    expect(await requestMail(member.email)).toEqual(await requestMail("joins-later@example.test"));
    await waitForMail(worker, "joins-later@example.test");
    expect(await listMails(worker, member.email)).toEqual([]);
    expect(await all("select 1 from login_code where email = ?", member.email)).toEqual([]);
  });

  it("starts no session with a code that slipped through", async () => {
    const { member, fire } = await prepared();
    const { visitor, token } = await requestLink(member.email);
    const [code] = await all<{ code_hash: number[] }>("select * from login_code where email = ?", member.email);
    await fire();
    await all(
      "insert into login_code (code_hash, purpose, email, brand, ts_expires) values (?, 'login', ?, 'ember', 9e15)",
      new Uint8Array(code?.code_hash ?? []).buffer,
      member.email,
    );
    const response = await visitor.send("POST", "/api/auth/token", { token, confirmed: true });
    expect([response.status, await response.text()]).toEqual([401, expect.stringContaining("LINK_EXPIRED")]);
    expect(response.headers.get("set-cookie")).toBeNull();
    expect(await all("select 1 from session where account_id = ?", member.id)).toEqual([]);
    expect(await all("select 1 from login_code where email = ?", member.email)).toHaveLength(1);
  });
});

describe("recovery words", () => {
  it("end a lock-down once, typed as the password in any case and spacing", async () => {
    const { member, fire } = await prepared();
    expect((await member.send("PUT", "/api/recovery-words", { words: WORDS })).status).toBe(204);
    expect(JSON.stringify(await all("select * from lockdown"))).not.toContain("abandon");
    // Without a lock-down they have no effect.
    expect((await logIn(member.email, WORDS)).status).toBe(401);
    await fire();
    expect((await logIn(member.email, WORDS.replace("above", "across"))).status).toBe(401);
    const opened = await logIn(member.email, `  ${WORDS.toUpperCase().replaceAll(" ", "  ")} `);
    expect(opened.status).toBe(200);
    expect(opened.cookies).toContain("__Host-session=");
    expect((await logIn(member.email, PASSWORD)).status).toBe(200);
    expect((await logIn(member.email, WORDS)).status).toBe(401);
  });

  it("must be eight words and, like a second PIN, need a fresh proof", async () => {
    const stale = await createMember(worker);
    for (const response of [
      await stale.send("PUT", "/api/recovery-words", { words: WORDS }),
      await prepare(stale, newToken(), 72),
    ]) {
      expect(await response.json()).toMatchObject({ error: { code: "CONFIRMATION_NEEDED" } });
    }
    const member = await createMember(worker, { freshProof: true });
    for (const words of ["", "one two", `${WORDS} more`, WORDS.replace("able", "4ble")]) {
      const response = await member.send("PUT", "/api/recovery-words", { words });
      expect(await response.json()).toMatchObject({ error: { code: "BAD_INPUT", field: "words" } });
    }
    expect((await createVisitor(worker).send("PUT", "/api/recovery-words", { words: WORDS })).status).toBe(401);
  });
});
