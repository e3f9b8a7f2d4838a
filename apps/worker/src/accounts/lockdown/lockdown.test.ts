/** What the token of a second PIN triggers, how a lock-down ends, and that no login reveals it. */
import { SOCKET_CLOSE_ENDED } from "@lambda/contract/events";
import { HOUR_MS, LOCKDOWN_DEVICES_MAX, LOGIN_FAILURES_MAX, UNLOCKS_PER_IP_MAX } from "@lambda/contract/limits";
import type { Lockdown } from "@lambda/contract/lockdown";
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
  await waitForMail(worker, member.email);
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
  const earlier = (await listMails(worker, email)).length;
  const response = await visitor.send("POST", "/api/auth/register", { email, acknowledgements: ACCEPTED });
  const { ticket } = (await response.json()) as { ticket: string };
  const mail = (await waitForMail(worker, email, earlier)).text;
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

  it("is not undone by a request that was under way, which would show its member again", async () => {
    const { member, fire } = await prepared();
    const late = await member.onBrand("ember");
    const show = (by: TestMember, hide: boolean) =>
      by.send("PUT", `/api/profile-position/${member.id}`, { profileId: member.id, session: 1, use: "RANDOM", hide });
    expect((await show(late, true)).status).toBe(200);
    await fire();
    // Its session was read before the token ended all.
    expect((await show(await member.onBrand("ember"), false)).status).toBe(200);
    expect(await all("select hidden from profile where id = ?", member.id)).toEqual([{ hidden: 1 }]);
  });

  it("returns the same bytes as any other token, with or without a session", async () => {
    const { member, token } = await prepared();
    const bytes = async (response: Response) => {
      // Only development builds report the cost of the database.
      const headers = [...response.headers].filter(([name]) => !/^(x-request-id|x-now|date|x-d1-.*)$/.test(name));
      return [response.status, headers, await response.text()];
    };
    const own = await bytes(await unlock(newToken(), member));
    const strange = await bytes(await unlock(newToken()));
    expect(await bytes(await unlock(token, member))).toEqual(own);
    // Replayed, as a device without a network does.
    expect(await bytes(await unlock(token, member))).toEqual(own);
    expect(await bytes(await unlock(token))).toEqual(strange);
    const { token: other } = await prepared();
    expect(await bytes(await unlock(other))).toEqual(strange);
    expect(JSON.stringify(strange)).not.toContain("set-cookie");
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

  it("is one for each device and five in all, and does not appear in the settings", async () => {
    const { member, token } = await prepared();
    const settings = await member.get<object>("/api/settings");
    expect(JSON.stringify(settings)).not.toMatch(/lock|recover/i);
    for (let count = 0; count < 6; count += 1) expect((await prepare(member, newToken(), 1)).status).toBe(204);
    expect(await all("select 1 from lockdown_signal where account_id = ?", member.id)).toHaveLength(1);
    await unlock(token);
    expect((await member.fetch("/api/settings")).status).toBe(200);

    const devices = [member];
    while (devices.length <= LOCKDOWN_DEVICES_MAX) devices.push(await member.onBrand("ember"));
    const statuses: number[] = [];
    for (const device of devices) statuses.push((await prepare(device, newToken(), 1)).status);
    expect(statuses).toEqual([...Array<number>(LOCKDOWN_DEVICES_MAX).fill(204), 400]);
    const { signals } = await member.get<Lockdown>("/api/lockdown");
    expect(signals).toHaveLength(LOCKDOWN_DEVICES_MAX);
    // Ending a device ends what it prepared, and each can be withdrawn.
    const ended = (await devices[1]!.get<{ id: number; thisDevice: boolean }[]>("/api/sessions")).find(
      ({ thisDevice }) => thisDevice,
    );
    expect((await member.send("DELETE", `/api/session/${ended?.id}`)).status).toBe(204);
    expect((await member.send("DELETE", `/api/lockdown-signal/${signals[0]?.id}`)).status).toBe(204);
    expect((await member.send("DELETE", `/api/lockdown-signal/${signals[0]?.id}`)).status).toBe(404);
    expect((await member.get<Lockdown>("/api/lockdown")).signals).toHaveLength(LOCKDOWN_DEVICES_MAX - 2);
  });

  it("stays the device's when it logs in again, and is replaced although its session has changed", async () => {
    const { member, fire } = await prepared();
    const response = await member.send("POST", "/api/auth", { username: member.email, password: PASSWORD });
    expect(response.status).toBe(200);
    const cookie = /plain_session=[^;]+/.exec(response.headers.get("set-cookie") ?? "")?.[0] ?? "";
    const [signal] = await all<{ session_id: number }>(
      "select session_id from lockdown_signal where account_id = ?",
      member.id,
    );
    expect(await all("select id from session where account_id = ?", member.id)).toEqual([{ id: signal?.session_id }]);
    await fire();
    const settings = await worker.fetch("http://ember.localhost/api/settings", { headers: { cookie } });
    expect(settings.status).toBe(401);
  });

  it("fires once for all devices, so that no chain exceeds the longest time", async () => {
    const { member, fire } = await prepared(720);
    const later: string[] = [];
    for (let count = 1; count < LOCKDOWN_DEVICES_MAX; count += 1) {
      later.push(newToken());
      expect((await prepare(await member.onBrand("ember"), later.at(-1)!, 720)).status).toBe(204);
    }
    const start = Date.now();
    await fire();
    const day29 = { headers: { "x-development-now": String(start + 29 * 24 * HOUR_MS) } };
    for (const token of later) {
      const body = { method: "POST", body: JSON.stringify({ token }) };
      const headers = { ...day29.headers, "content-type": "application/json" };
      expect((await createVisitor(worker).fetch("/api/unlock", { ...body, headers })).status).toBe(204);
    }
    expect(await logIn(member.email, PASSWORD, start + 721 * HOUR_MS)).toMatchObject({ status: 200 });
  });

  it("works in a flood of unknown tokens, which then change nothing and get the same response", async () => {
    const { member, token } = await prepared();
    const visitor = createVisitor(worker);
    const send = (value: string) => visitor.send("POST", "/api/unlock", { token: value });
    const written = (response: Response) => Number(response.headers.get("x-d1-trips"));
    const first = await send(newToken());
    for (let count = 1; count < UNLOCKS_PER_IP_MAX; count += 1) await send(newToken());
    const flooded = await send(newToken());
    expect([flooded.status, await flooded.text()]).toEqual([first.status, await first.text()]);
    expect(Number(flooded.headers.get("x-d1-rows-read"))).toBeLessThanOrEqual(1);
    expect(written(flooded)).toBe(1);
    expect((await send(token)).status).toBe(204);
    expect((await member.fetch("/api/settings")).status).toBe(401);
  });
});

/** What the owner does about somebody who had a fresh session on the owner's phone. */
const RECOVERIES: Record<string, (owner: TestMember) => Promise<Response>> = {
  "a new password": (owner) => owner.send("PUT", "/api/settings", { password: "a brand new secret 17" }),
  "a new address": async (owner) => {
    const email = `moved-${owner.id}@example.test`;
    expect((await owner.send("PUT", "/api/settings", { email })).status).toBe(200);
    const token = /confirm=([\w-]+)/.exec((await waitForMail(worker, email)).text)?.[1];
    return owner.send("POST", "/api/settings/email-confirmation", { token, email });
  },
  '"log out everywhere"': (owner) => owner.send("DELETE", "/api/sessions"),
};

describe("words and twenty second PINs that somebody else set", () => {
  it.each(Object.entries(RECOVERIES))("are mailed, listed and ended by %s", async (_, recover) => {
    const { email, ...owner } = await createMember(worker, { freshProof: true });
    await all("update account set password_hash = ? where id = ?", passwordHash, owner.id);
    const thief = await owner.onBrand("ember");
    expect((await thief.send("PUT", "/api/recovery-words", { words: WORDS })).status).toBe(204);
    expect((await waitForMail(worker, email)).subject).toContain("safety setting");
    const tokens: string[] = [];
    for (let count = 0; count < 20; count += 1) {
      tokens.push(newToken());
      const device = count < 10 ? thief : await owner.onBrand("ember");
      await prepare(device, tokens.at(-1)!, 720);
    }
    expect((await waitForMail(worker, email, 1)).text).toContain("log out everywhere");
    const listed = await owner.get<Lockdown>("/api/lockdown");
    expect(listed.words?.tsCreated).toMatch(/^20/);
    expect(listed.signals).toHaveLength(LOCKDOWN_DEVICES_MAX);
    expect(listed.signals[0]).toMatchObject({ hours: 720 });

    expect((await recover({ email, ...owner })).ok).toBe(true);
    expect((await thief.fetch("/api/settings")).status).toBe(401);
    for (const token of tokens) expect((await unlock(token)).status).toBe(204);
    expect(await all("select 1 from lockdown where account_id = ? and ts_until > 0", owner.id)).toEqual([]);
    const [{ email: current } = { email: "" }] = await all<{ email: string }>(
      "select email from account where id = ?",
      owner.id,
    );
    expect(await logIn(current, WORDS)).toMatchObject({ status: 401, cookies: null });
    // Not even during a lock-down that the owner starts later.
    await all("update lockdown set ts_until = 9e15 where account_id = ?", owner.id);
    expect((await logIn(current, WORDS)).text).toContain("LOGIN_FAILED");
  });

  it("are shown and withdrawn only after a fresh proof", async () => {
    const { member } = await prepared();
    await member.send("PUT", "/api/recovery-words", { words: WORDS });
    const { signals } = await member.get<Lockdown>("/api/lockdown");
    await all("update session set ts_proved = 0 where account_id = ?", member.id);
    for (const [method, path] of [
      ["GET", "/api/lockdown"],
      ["DELETE", `/api/lockdown-signal/${signals[0]?.id}`],
      ["DELETE", "/api/recovery-words"],
    ] as const) {
      const response = await member.fetch(path, { method });
      expect(await response.json(), path).toMatchObject({ error: { code: "CONFIRMATION_NEEDED" } });
    }
    const other = await createMember(worker, { freshProof: true });
    expect((await other.send("DELETE", `/api/lockdown-signal/${signals[0]?.id}`)).status).toBe(404);
    expect(await other.get("/api/lockdown")).toEqual({ words: null, signals: [] });
    await all("update session set ts_proved = ? where account_id = ?", Date.now(), member.id);
    expect((await member.send("DELETE", "/api/recovery-words")).status).toBe(204);
    expect(await member.get<Lockdown>("/api/lockdown")).toMatchObject({ words: null, signals: [{ hours: 72 }] });
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
    // Only the one that announced the second PIN.
    expect(await listMails(worker, member.email)).toHaveLength(1);
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
  it("end a lock-down once and open nothing, typed as the password in any case and spacing", async () => {
    const { member, fire } = await prepared();
    expect((await member.send("PUT", "/api/recovery-words", { words: WORDS })).status).toBe(204);
    expect(JSON.stringify(await all("select * from lockdown"))).not.toContain("abandon");
    // Without a lock-down they have no effect.
    expect((await logIn(member.email, WORDS)).status).toBe(401);
    await fire();
    expect((await logIn(member.email, WORDS.replace("above", "across"))).status).toBe(401);
    const opened = await logIn(member.email, `  ${WORDS.toUpperCase().replaceAll(" ", "  ")} `);
    expect(opened).toMatchObject({ status: 401, cookies: null, text: expect.stringContaining("LOCKDOWN_ENDED") });
    expect(await all("select 1 from session where account_id = ?", member.id)).toEqual([]);
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
