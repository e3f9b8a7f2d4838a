import { ACCOUNT_HEADER } from "@lambda/contract/headers";
import { as } from "@lambda/testing/member";
import { asVisitor, waitForMail } from "@lambda/testing/visitor";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { beforeAll, describe, expect, it } from "vitest";
import { hashPassword } from "./passwords.ts";

let worker: TestWorker;
beforeAll(async () => {
  worker = await startWorker();
});

async function linkFor(email: string): Promise<{ email: string; code: string; token: string }> {
  const visitor = asVisitor(worker);
  const answer = await visitor.send("POST", "/api/auth/register", { email, acknowledgements: "all three" });
  expect(answer.status).toBe(202);
  const mail = await waitForMail(worker, email);
  const token = /token=([\w-]+)/.exec(mail.text)?.[1] ?? "";
  const [address = "", code = ""] = Buffer.from(token, "base64url").toString().split(":");
  return { email: address, code, token };
}

describe("login by mail link", () => {
  it("makes the account when the link is used, once", async () => {
    const { token } = await linkFor("new@example.test");
    const before = await worker.env.DB.prepare(
      "select count(*) n from account where email = 'new@example.test'",
    ).first();
    expect(before).toEqual({ n: 0 });

    const visitor = asVisitor(worker);
    const answer = await visitor.send("POST", "/api/auth/token", { token });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("set-cookie")).toContain("__Host-session=");
    const row = await worker.env.DB.prepare(
      "select p.shared_on, a.home_brand, a.acknowledgements from profile p join account a using (id) where a.email = 'new@example.test'",
    ).first();
    expect(row).toEqual({ shared_on: 1, home_brand: "ember", acknowledgements: "all three" });

    const again = await visitor.send("POST", "/api/auth/token", { token });
    expect(again.status).toBe(401);
    expect(await again.json()).toMatchObject({ error: { code: "LINK_EXPIRED" } });
  });

  it("takes the code in the password's place, as the documented form does", async () => {
    const { email, code } = await linkFor("form@example.test");
    const form = new FormData();
    form.set("username", email);
    form.set("password", code);
    const answer = await asVisitor(worker).fetch("/api/auth", { method: "POST", body: form });
    expect(answer.status).toBe(200);
  });

  it("stores only the code's hash", async () => {
    const { code } = await linkFor("hash@example.test");
    const row = await worker.env.DB.prepare("select * from login_code where email = 'hash@example.test'").first();
    expect(JSON.stringify(row)).not.toContain(code);
  });
});

describe("login by password", () => {
  it("answers the same for a wrong password and an unknown address", async () => {
    await as(worker, { email: "known@example.test", passwordHash: await hashPassword("correct horse battery") });
    const visitor = asVisitor(worker);
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

  it("takes a token of address and password too, colons in it and all", async () => {
    const password = "correct:horse:battery";
    await as(worker, { email: "colon@example.test", passwordHash: await hashPassword(password) });
    const token = Buffer.from(`colon@example.test:${password}`).toString("base64");
    expect((await asVisitor(worker).send("POST", "/api/auth/token", { token })).status).toBe(200);
  });

  it("caps failures for one address, whatever network they come from", async () => {
    for (let attempt = 0; attempt < 10; attempt += 1) {
      const answer = await asVisitor(worker).send("POST", "/api/auth", {
        username: "capped@example.test",
        password: "x",
      });
      expect(answer.status).toBe(401);
    }
    const answer = await asVisitor(worker).send("POST", "/api/auth", {
      username: "capped@example.test",
      password: "x",
    });
    expect(answer.status).toBe(429);
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
  });
});

describe("sessions", () => {
  it("end at logout from the next request on", async () => {
    const member = await as(worker);
    expect((await member.fetch("/api/profiles/mine")).status).toBe(200);
    const logout = await member.send("POST", "/api/auth/logout");
    expect(logout.status).toBe(204);
    // The pictures that he saw leave the browser's disk; cookies and storage are the page's own affair.
    expect(logout.headers.get("clear-site-data")).toBe('"cache"');
    const after = await member.fetch("/api/profiles/mine");
    expect(after.status).toBe(401);
    expect(after.headers.get("clear-site-data")).toBeNull();
  });

  it("belong to one brand", async () => {
    const member = await as(worker);
    const answer = await worker.fetch("http://harbor.localhost/api/profiles/mine", {
      headers: { cookie: member.cookie },
    });
    expect(answer.status).toBe(401);
  });

  it("refuse a page that acts for another account, and nothing else by that header", async () => {
    const [member, other] = [await as(worker), await as(worker)];
    const says = (account: number | string) => ({ headers: { [ACCOUNT_HEADER]: String(account) } });
    for (const path of ["/api/profiles/mine", "/api/session", "/trpc/accounts.session"]) {
      expect((await member.fetch(path)).status).toBe(200);
      expect((await member.fetch(path, says(member.id))).status).toBe(200);
      const refused = await member.fetch(path, says(other.id));
      expect(refused.status).toBe(412);
      expect(await refused.json()).toMatchObject({ error: { code: "OTHER_ACCOUNT" } });
    }
    expect((await member.fetch("/api/session", says("x"))).status).toBe(412);
    const visitor = await worker.fetch("http://ember.localhost/api/session", says(other.id));
    expect(visitor.status).toBe(200);
  });

  it("refuse a state change from another origin, and one without Origin", async () => {
    const member = await as(worker);
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
