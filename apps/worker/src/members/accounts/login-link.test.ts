import { LOGIN_LINKS_PER_KNOWN_DEVICE_MAX, LOGIN_LINKS_PER_MAILBOX_MAX } from "@lambda/contract/limits";
import { as } from "@lambda/testing/member";
import { quickHash } from "@lambda/testing/password";
import { asVisitor, type TestVisitor, waitForMail } from "@lambda/testing/visitor";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { beforeAll, describe, expect, it } from "vitest";

let worker: TestWorker;
beforeAll(async () => {
  worker = await startWorker();
});

const ACCEPTED = "cookies; adult; geolocation";

function post(visitor: TestVisitor, path: string, body: object, cookie = "", ip?: string): Promise<Response> {
  const init = {
    method: "POST",
    headers: { "content-type": "application/json", cookie },
    body: JSON.stringify(body),
  };
  if (ip === undefined) return visitor.fetch(path, init);
  const headers = { ...init.headers, origin: "http://ember.localhost", "cf-connecting-ip": ip };
  return worker.fetch(`http://ember.localhost${path}`, { ...init, headers });
}

async function ask(email: string, visitor = asVisitor(worker)) {
  const answer = await post(visitor, "/api/auth/register", { email, acknowledgements: ACCEPTED });
  expect(answer.status).toBe(202);
  const cookies = answer.headers.get("set-cookie") ?? "";
  const token = /token=([\w-]+)/.exec((await waitForMail(worker, email)).text)?.[1] ?? "";
  return { token, cookies, asked: /__Host-asked=[^;]+/.exec(cookies)?.[0] ?? "" };
}

const codesOf = async (email: string) =>
  (await worker.env.DB.prepare("select 1 from login_code where email = ?").bind(email).all()).results.length;

async function codeOf(answer: Response): Promise<string> {
  return ((await answer.json()) as { error: { code: string } }).error.code;
}

describe("a login link on a device that did not ask for it", () => {
  it("logs nobody in unasked, and is not used up by the try", async () => {
    const { token } = await ask("sender@example.test");
    for (const body of [{ token }, { token, confirmed: false }, { token, remember: true }]) {
      const answer = await post(asVisitor(worker), "/api/auth/token", body);
      expect(answer.status).toBe(403);
      expect(answer.headers.get("set-cookie")).toBeNull();
      expect(await codeOf(answer)).toBe("LINK_UNCONFIRMED");
    }
    expect(await codesOf("sender@example.test")).toBe(1);
    expect((await post(asVisitor(worker), "/api/auth/token", { token, confirmed: true })).status).toBe(200);
    expect(await codesOf("sender@example.test")).toBe(0);
  });

  it("is told by a mark that is good for its own address and time alone", async () => {
    const { token, asked, cookies } = await ask("mine@example.test");
    expect(cookies).toMatch(/__Host-asked=[^;]+; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=Lax/);
    const other = await ask("other@example.test");
    const later = String(Date.now() + 11 * 60_000);
    for (const cookie of [other.asked, asked.replace(/=\d+/, `=${later}`), "__Host-asked=1.x", ""]) {
      expect((await post(asVisitor(worker), "/api/auth/token", { token }, cookie)).status, cookie).toBe(403);
    }
    expect((await post(asVisitor(worker), "/api/auth/token", { token }, asked)).status).toBe(200);
  });

  it("needs no word where its own account is logged in", async () => {
    const member = await as(worker);
    const stranger = await as(worker);
    const { token } = await ask(member.email);
    expect((await stranger.send("POST", "/api/auth/token", { token })).status).toBe(403);
    expect((await member.send("POST", "/api/auth/token", { token })).status).toBe(200);
  });
});

describe("a login link on another site", () => {
  it("is not used up, and says where it belongs", async () => {
    const { token, asked } = await ask("astray@example.test");
    const astray = await post(asVisitor(worker, "harbor"), "/api/auth/token", { token, confirmed: true });
    expect(astray.status).toBe(401);
    expect(await astray.json()).toMatchObject({
      error: { code: "LINK_OF_OTHER_SITE", message: expect.stringContaining("https://ember.example") },
    });
    expect((await post(asVisitor(worker), "/api/auth/token", { token }, asked)).status).toBe(200);
  });
});

describe("the links that strangers ask for", () => {
  const mailsTo = async (passes: (to: string) => boolean) => {
    const answer = await worker.fetch("http://ember.localhost/dev/mail.json");
    return ((await answer.json()) as { to: string }[]).filter(({ to }) => passes(to)).length;
  };

  it("reach one mailbox at most three times an hour, however its address is spelled and wherever they come from", async () => {
    const spellings = Array.from({ length: 12 }, (_, index) =>
      index % 2 === 0 ? `b.om.bed+${index}@gmail.com` : `BOMBED+${index}@googlemail.com`,
    );
    for (const email of [...spellings, "b.o.m.b.e.d@gmail.com"]) {
      const answer = await post(asVisitor(worker), "/api/auth/register", { email, acknowledgements: ACCEPTED });
      expect(answer.status).toBe(202);
      expect(await answer.json()).toEqual({ ticket: expect.stringMatching(/^[\w-]{43}$/) });
    }
    // One more link after them, to wait for: what was asked before has been decided by then.
    await ask("afterwards@example.test");
    expect(await mailsTo((to) => to.replaceAll(".", "").toLowerCase().startsWith("bombed"))).toBe(
      LOGIN_LINKS_PER_MAILBOX_MAX,
    );
  });

  it("leave a device that logged in before its own", async () => {
    const password = "correct horse battery";
    const { email } = await as(worker, { passwordHash: quickHash(password) });
    const answer = await post(asVisitor(worker), "/api/auth", { username: email, password });
    const device = /__Host-device=[^;]+/.exec(answer.headers.get("set-cookie") ?? "")?.[0] ?? "";
    const body = { email, acknowledgements: ACCEPTED };
    for (let count = 0; count < 12; count += 1) await post(asVisitor(worker), "/api/auth/register", body);
    await expect.poll(() => mailsTo((to) => to === email)).toBe(LOGIN_LINKS_PER_MAILBOX_MAX);
    for (let count = 0; count < 6; count += 1) await post(asVisitor(worker), "/api/auth/register", body, device);
    const most = LOGIN_LINKS_PER_MAILBOX_MAX + LOGIN_LINKS_PER_KNOWN_DEVICE_MAX;
    expect(most).toBeLessThanOrEqual(5);
    await expect.poll(() => mailsTo((to) => to === email)).toBe(most);
  });

  it("are counted for the whole IPv6 site of their networks", async () => {
    const visitor = asVisitor(worker);
    const statuses: number[] = [];
    for (let network = 0; network < 62; network += 1) {
      const body = { email: `site${network}@example.test`, acknowledgements: ACCEPTED };
      const ip = `2001:db8:77:${network.toString(16)}::1`;
      statuses.push((await post(visitor, "/api/auth/register", body, "", ip)).status);
    }
    expect(statuses.filter((status) => status === 202)).toHaveLength(60);
    expect(statuses.slice(60)).toEqual([429, 429]);
  });
});

describe("registering", () => {
  it.each(["no", "yes", "cookies", "cookies; adult", "cookies: no; adult: no; geolocation: no", "all three", ""])(
    "needs all three acknowledgements, not %j",
    async (acknowledgements) => {
      const answer = await post(asVisitor(worker), "/api/auth/register", {
        email: "no@example.test",
        acknowledgements,
      });
      expect(answer.status).toBe(400);
      expect(await answer.json()).toMatchObject({
        error: {
          code: "BAD_INPUT",
          field: "acknowledgements",
          message: "Acceptance of all of the acknowledgements above are required.",
        },
      });
    },
  );

  it("takes the whole texts under their names", async () => {
    const text = "I have read this and I agree to it; whatever stands in it.";
    const acknowledgements = `cookies: ${text}\n\nadult: ${text}\n\ngeolocation: ${text}`;
    const answer = await post(asVisitor(worker), "/api/auth/register", { email: "all@example.test", acknowledgements });
    expect(answer.status).toBe(202);
  });

  it.each(["a@x.test\u0000", "a\u0000@x.test", "a\u0007@x.test", "a@x\u200B.test", "a\u202E@x.test", "a@x.te\u00ADst"])(
    "refuses the address %j",
    async (email) => {
      const body = { email, acknowledgements: ACCEPTED };
      expect((await post(asVisitor(worker), "/api/auth/register", body)).status).toBe(400);
    },
  );
});
