import { ACCOUNT_HEADER } from "@lambda/contract/headers";
import {
  HOUR_MS,
  LOGIN_FAILURES_MAX,
  LOGIN_FAILURES_PER_ADDRESS_MAX,
  LOGIN_LINKS_PER_HOUR_NORMAL,
} from "@lambda/contract/limits";
import { createMember, withQuotas } from "@lambda/testing/member";
import { solveNewChallenge } from "@lambda/testing/notices";
import { quickHash } from "@lambda/testing/password";
import { hitLimit, limiterOf } from "@lambda/testing/rate-limits";
import { createVisitor, type TestVisitor, waitForMail } from "@lambda/testing/visitor";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { beforeAll, describe, expect, it } from "vitest";

let worker: TestWorker;
beforeAll(async () => {
  worker = await startWorker();
});

/** Hashes dozens of passwords, each deliberately slowly. */
const SLOW = { timeout: 120_000 };

const ACCEPTED = "cookies; adult; geolocation";

async function linkFor(
  email: string,
  visitor = createVisitor(worker),
): Promise<{ email: string; code: string; token: string; requestCookie: string }> {
  const response = await visitor.send("POST", "/api/auth/register", { email, acknowledgements: ACCEPTED });
  expect(response.status).toBe(202);
  const mail = await waitForMail(worker, email);
  const token = /token=([\w-]+)/.exec(mail.text)?.[1] ?? "";
  const [address = "", code = ""] = Buffer.from(token, "base64url").toString().split(":");
  const requestCookie = /plain_asked=[^;]+/.exec(response.headers.get("set-cookie") ?? "")?.[0] ?? "";
  return { email: address, code, token, requestCookie };
}

function openLink(visitor: TestVisitor, body: object, cookie = ""): Promise<Response> {
  return visitor.fetch("/api/auth/token", {
    method: "POST",
    headers: { "content-type": "application/json", cookie },
    body: JSON.stringify(body),
  });
}

describe("login by mail link", () => {
  it("creates the account when the link is used, and only once", async () => {
    const { token, requestCookie } = await linkFor("new@example.test");
    const before = await worker.env.DB.prepare(
      "select count(*) n from account where email = 'new@example.test'",
    ).first();
    expect(before).toEqual({ n: 0 });

    const visitor = createVisitor(worker);
    const response = await openLink(visitor, { token }, requestCookie);
    expect(response.status).toBe(200);
    expect(response.headers.get("set-cookie")).toContain("plain_session=");
    const row = await worker.env.DB.prepare(
      "select p.shared_on, a.home_brand, a.acknowledgements from profile p join account a using (id) where a.email = 'new@example.test'",
    ).first();
    expect(row).toEqual({ shared_on: 1, home_brand: "ember", acknowledgements: ACCEPTED });

    const again = await openLink(visitor, { token }, requestCookie);
    expect(again.status).toBe(401);
    expect(await again.json()).toMatchObject({ error: { code: "LINK_EXPIRED" } });
  });

  it("accepts the code in the password field of the documented form", async () => {
    const { email, code } = await linkFor("form@example.test");
    const form = new FormData();
    form.set("username", email);
    form.set("password", code);
    const response = await createVisitor(worker).fetch("/api/auth", { method: "POST", body: form });
    expect(response.status).toBe(200);
  });

  it("stores only a hash of the code, and of the session's token", async () => {
    // Text that is stored as bytes comes back as an array of numbers.
    const stored = async (table: string) => {
      const { results } = await worker.env.DB.prepare(`select * from ${table}`).all();
      const values = results.flatMap((row) => Object.values(row));
      return values.map((value) => (Array.isArray(value) ? Buffer.from(value).toString() : String(value))).join(" ");
    };
    const { email, code } = await linkFor("hash@example.test");
    expect(await stored("login_code")).toContain(email);
    expect(await stored("login_code")).not.toContain(code);
    const form = new FormData();
    form.set("username", email);
    form.set("password", code);
    const response = await createVisitor(worker).fetch("/api/auth", { method: "POST", body: form });
    const [, token = ""] = /plain_session=([\w-]{43})/.exec(response.headers.get("set-cookie") ?? "") ?? [];
    expect(token).toHaveLength(43);
    expect(await stored("session")).not.toContain(token);
  });
});

describe("login by password", () => {
  it("responds identically to a wrong password and an unknown address", async () => {
    await createMember(worker, { email: "known@example.test", passwordHash: quickHash("correct horse battery") });
    const visitor = createVisitor(worker);
    const wrong = await visitor.send("POST", "/api/auth", { username: "known@example.test", password: "wrong" });
    const unknown = await visitor.send("POST", "/api/auth", { username: "nobody@example.test", password: "wrong" });
    expect([wrong.status, unknown.status]).toEqual([401, 401]);
    expect(await wrong.json()).toEqual({
      error: { code: "LOGIN_FAILED", message: "Password and/or Email address is incorrect" },
    });
    const right = await visitor.send("POST", "/api/auth", {
      username: "Known@Example.test",
      password: "correct horse battery",
    });
    expect(right.status).toBe(200);
  });

  it("rejects a link token made of address and password", async () => {
    const password = "correct:horse:battery";
    await createMember(worker, { email: "colon@example.test", passwordHash: quickHash(password) });
    const token = Buffer.from(`colon@example.test:${password}`).toString("base64");
    const response = await openLink(createVisitor(worker), { token, confirmed: true });
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({ error: { code: "LINK_EXPIRED" } });
  });

  it("limits failures per address for one network, and for all networks together", SLOW, async () => {
    const body = { username: "capped@example.test", password: "x" };
    await createMember(worker, { email: body.username, passwordHash: quickHash("correct horse battery") });
    const stranger = createVisitor(worker);
    for (let attempt = 0; attempt < LOGIN_FAILURES_MAX; attempt += 1) {
      expect((await stranger.send("POST", "/api/auth", body)).status).toBe(401);
    }
    const capped = await stranger.send("POST", "/api/auth", body);
    expect(capped.status).toBe(429);
    expect(Number(capped.headers.get("retry-after"))).toBeGreaterThan(0);
    for (let attempt = LOGIN_FAILURES_MAX; attempt < LOGIN_FAILURES_PER_ADDRESS_MAX; attempt += 1) {
      expect((await createVisitor(worker).send("POST", "/api/auth", body)).status).toBe(401);
    }
    expect((await createVisitor(worker).send("POST", "/api/auth", body)).status).toBe(429);
  });

  it("stays available to a device that logged in before while others guess", SLOW, async () => {
    const password = "correct horse battery";
    const credentials = { username: "guessed@example.test", password };
    await createMember(worker, { email: credentials.username, passwordHash: quickHash(password) });
    const [phone, stranger] = [createVisitor(worker), createVisitor(worker)];
    const first = await phone.send("POST", "/api/auth", credentials);
    const device = /plain_device=[^;]+/.exec(first.headers.get("set-cookie") ?? "")?.[0] ?? "";
    expect(first.headers.get("set-cookie")).toMatch(
      /plain_device=[^;]+; Max-Age=34560000; Path=\/; HttpOnly; SameSite=Lax/,
    );
    for (let attempt = 0; attempt < LOGIN_FAILURES_PER_ADDRESS_MAX; attempt += 1) {
      const wrong = { ...credentials, password: "x" };
      const network = attempt % LOGIN_FAILURES_MAX === 0 ? stranger : createVisitor(worker);
      await network.send("POST", "/api/auth", wrong);
    }
    expect((await createVisitor(worker).send("POST", "/api/auth", credentials)).status).toBe(429);
    const logIn = (username: string, cookie: string) =>
      phone.fetch("/api/auth", {
        method: "POST",
        headers: { "content-type": "application/json", cookie },
        body: JSON.stringify({ username, password }),
      });
    expect((await logIn(credentials.username, device)).status).toBe(200);
    // The mark is valid for its own address only, and a forged one for none.
    for (const forged of [device.replace(/.$/, (last) => (last === "A" ? "B" : "A")), "plain_device=x.y", ""]) {
      expect((await logIn(credentials.username, forged)).status).toBe(429);
    }
    await createMember(worker, { email: "another@example.test", passwordHash: quickHash("something else") });
    for (let attempt = 0; attempt < LOGIN_FAILURES_MAX; attempt += 1) await logIn("another@example.test", device);
    expect((await logIn("another@example.test", device)).status).toBe(429);
  });
});

describe("sessions", () => {
  it("end at logout", async () => {
    const member = await createMember(worker);
    expect((await member.fetch("/api/profiles/mine")).status).toBe(200);
    const logout = await member.send("POST", "/api/auth/logout");
    expect(logout.status).toBe(204);
    // Clears the pictures they saw from the browser's cache; the page itself clears cookies and storage.
    expect(logout.headers.get("clear-site-data")).toBe('"cache"');
    const cleared = logout.headers.getSetCookie().map((cookie) => /^([\w-]+)=; Max-Age=0/.exec(cookie)?.[1]);
    const names = ["session", "asked", "device", "age", "wrote", "unlocked"].map((name) => `plain_${name}`);
    expect(cleared.sort()).toEqual([...names, "logged_in"].sort());
    const after = await member.fetch("/api/profiles/mine");
    expect(after.status).toBe(401);
    expect(after.headers.get("clear-site-data")).toBeNull();
  });

  it("are valid on one brand only", async () => {
    const member = await createMember(worker);
    const response = await worker.fetch("http://harbor.localhost/api/profiles/mine", {
      headers: { cookie: member.cookie },
    });
    expect(response.status).toBe(401);
  });

  it("reject a page that acts for another account, and otherwise ignore its header", async () => {
    const [member, other] = [await createMember(worker), await createMember(worker)];
    const claiming = (account: number | string) => ({ headers: { [ACCOUNT_HEADER]: String(account) } });
    for (const path of ["/api/profiles/mine", "/api/session", "/trpc/accounts.session"]) {
      expect((await member.fetch(path)).status).toBe(200);
      expect((await member.fetch(path, claiming(member.id))).status).toBe(200);
      const refused = await member.fetch(path, claiming(other.id));
      expect(refused.status).toBe(412);
      expect(await refused.json()).toMatchObject({ error: { code: "OTHER_ACCOUNT" } });
    }
    expect((await member.fetch("/api/session", claiming("x"))).status).toBe(412);
    const visitor = await worker.fetch("http://ember.localhost/api/session", claiming(other.id));
    expect(visitor.status).toBe(200);
  });

  it("reject state changes from another origin or without an Origin header", async () => {
    const member = await createMember(worker);
    const foreign = await member.fetch("/api/auth/logout", {
      method: "POST",
      headers: { origin: "https://evil.example" },
    });
    expect(foreign.status).toBe(403);
    const none = await worker.fetch("http://ember.localhost/api/auth/logout", {
      method: "POST",
      headers: { cookie: member.cookie },
    });
    expect(none.status).toBe(403);
  });
});

describe("login links beyond what the site usually sends in an hour", () => {
  const ask = async (email: string, harder?: number) => {
    const visitor = createVisitor(worker);
    const proof = harder === undefined ? undefined : await solveNewChallenge(visitor, { harder });
    const response = await visitor.send("POST", "/api/auth/register", { email, acknowledgements: ACCEPTED, proof });
    const { error } = (await response.json()) as { error?: { code: string; limit: number } };
    return error ? `${error.code} ${error.limit}` : response.status;
  };

  it("take work that grows, of members and newcomers alike, and are never refused to who does it", async () => {
    const member = await createMember(worker, { email: "known-and-busy@example.com" });
    expect(await ask("ordinary@example.com")).toBe(202);
    try {
      for (const [step, factor] of [1, 2, 8].entries()) {
        await hitLimit(worker, `links-${step}`, factor * LOGIN_LINKS_PER_HOUR_NORMAL, HOUR_MS);
        const tooEasy = step === 0 ? undefined : step - 1;
        expect(await ask(`new-${step}@example.com`, tooEasy)).toBe(`WORK_NEEDED ${step}`);
        expect(await ask(member.email, tooEasy)).toBe(`WORK_NEEDED ${step}`);
        expect(await ask(`new-${step}@example.com`, step)).toBe(202);
        await waitForMail(worker, `new-${step}@example.com`);
      }
      // Whoever is logged in and has to prove it, to delete the account or to shut somebody out, is not held up by them.
      const prove = async (proof?: object) =>
        (await withQuotas(member).send("POST", "/api/proof/mail", proof && { proof })).status;
      expect([await prove(), await prove()]).toEqual([202, 428]);
      await waitForMail(worker, member.email);
      // The second one of a day takes the work of anybody's.
      expect(await prove(await solveNewChallenge(createVisitor(worker), { harder: 2 }))).toBe(202);
      await waitForMail(worker, member.email);
    } finally {
      for (const step of [0, 1, 2]) await limiterOf(worker, `links-${step}`).clear();
    }
  });
});
