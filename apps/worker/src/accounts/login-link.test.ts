import { WORK_HEADER } from "@lambda/contract/headers";
import {
  DAY_MS,
  HOUR_MS,
  LOGIN_ATTEMPTS_PER_IP_MAX,
  LOGIN_FAILURES_WINDOW_MS,
  LOGIN_LINKS_PER_KNOWN_DEVICE_MAX,
  LOGIN_LINKS_PER_MAILBOX_MAX,
} from "@lambda/contract/limits";
import { createMember } from "@lambda/testing/member";
import { solveNewChallenge } from "@lambda/testing/notices";
import { quickHash } from "@lambda/testing/password";
import { hitLimit, limiterOf } from "@lambda/testing/rate-limits";
import { createVisitor, randomIp, type TestVisitor, waitForMail } from "@lambda/testing/visitor";
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

async function requestLink(email: string, visitor = createVisitor(worker)) {
  const response = await post(visitor, "/api/auth/register", { email, acknowledgements: ACCEPTED });
  expect(response.status).toBe(202);
  const cookies = response.headers.get("set-cookie") ?? "";
  const token = /token=([\w-]+)/.exec((await waitForMail(worker, email)).text)?.[1] ?? "";
  return { token, cookies, requestCookie: /plain_asked=[^;]+/.exec(cookies)?.[0] ?? "" };
}

const countCodes = async (email: string) =>
  (await worker.env.DB.prepare("select 1 from login_code where email = ?").bind(email).all()).results.length;

async function codeOf(response: Response): Promise<string> {
  return ((await response.json()) as { error: { code: string } }).error.code;
}

describe("a login link on a device that did not request it", () => {
  it("requires confirmation and is not used up by the attempt", async () => {
    const { token } = await requestLink("sender@example.test");
    for (const body of [{ token }, { token, confirmed: false }, { token, remember: true }]) {
      const response = await post(createVisitor(worker), "/api/auth/token", body);
      expect(response.status).toBe(403);
      expect(response.headers.get("set-cookie")).toBeNull();
      expect(await codeOf(response)).toBe("LINK_UNCONFIRMED");
    }
    expect(await countCodes("sender@example.test")).toBe(1);
    expect((await post(createVisitor(worker), "/api/auth/token", { token, confirmed: true })).status).toBe(200);
    expect(await countCodes("sender@example.test")).toBe(0);
  });

  it("needs no confirmation with a request cookie that is valid for its address and time", async () => {
    const { token, requestCookie, cookies } = await requestLink("mine@example.test");
    expect(cookies).toMatch(/plain_asked=[^;]+; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax/);
    const other = await requestLink("other@example.test");
    const later = String(Date.now() + 11 * 60_000);
    for (const cookie of [other.requestCookie, requestCookie.replace(/=\d+/, `=${later}`), "plain_asked=1.x", ""]) {
      expect((await post(createVisitor(worker), "/api/auth/token", { token }, cookie)).status, cookie).toBe(403);
    }
    expect((await post(createVisitor(worker), "/api/auth/token", { token }, requestCookie)).status).toBe(200);
  });

  it("needs no confirmation where its own account is logged in", async () => {
    const member = await createMember(worker);
    const stranger = await createMember(worker);
    const { token } = await requestLink(member.email);
    expect((await stranger.send("POST", "/api/auth/token", { token })).status).toBe(403);
    expect((await member.send("POST", "/api/auth/token", { token })).status).toBe(200);
  });
});

it("a login link opens as mail programs break and lengthen it", async () => {
  const changes: ((token: string) => string)[] = [
    (token) => `${token}).`,
    (token) => `3D${token}`,
    (token) => `${token.slice(0, 20)}=\r\n${token.slice(20)}`,
    (token) => `${token}?utm_source=mail&utm_medium=email`,
  ];
  for (const [index, change] of changes.entries()) {
    const { token, requestCookie } = await requestLink(`changed${index}@example.test`);
    const opened = await post(createVisitor(worker), "/api/auth/token", { token: change(token) }, requestCookie);
    expect([change(token), opened.status]).toEqual([change(token), 200]);
  }
});

describe("a login link on another site", () => {
  it("is not used up, and the error names its own site", async () => {
    const { token, requestCookie } = await requestLink("astray@example.test");
    const astray = await post(createVisitor(worker, "harbor"), "/api/auth/token", { token, confirmed: true });
    expect(astray.status).toBe(401);
    expect(await astray.json()).toMatchObject({
      error: { code: "LINK_OF_OTHER_SITE", message: expect.stringContaining("https://ember.example") },
    });
    expect((await post(createVisitor(worker), "/api/auth/token", { token }, requestCookie)).status).toBe(200);
  });
});

describe("links requested by strangers", () => {
  const mailsTo = async (matches: (to: string) => boolean) => {
    const response = await worker.fetch("http://ember.localhost/dev/mail.json");
    return ((await response.json()) as { to: string }[]).filter(({ to }) => matches(to)).length;
  };

  it("are limited to three an hour per mailbox, for any spelling of the address and any network", async () => {
    const spellings = Array.from({ length: 12 }, (_, index) =>
      index % 2 === 0 ? `b.om.bed+${index}@gmail.com` : `BOMBED+${index}@googlemail.com`,
    );
    for (const email of [...spellings, "b.o.m.b.e.d@gmail.com"]) {
      const response = await post(createVisitor(worker), "/api/auth/register", { email, acknowledgements: ACCEPTED });
      expect(response.status).toBe(202);
      expect(await response.json()).toEqual({ ticket: expect.stringMatching(/^[\w-]{43}$/) });
    }
    // Requests one more link and waits for it: the earlier requests have been decided by then.
    await requestLink("afterwards@example.test");
    expect(await mailsTo((to) => to.replaceAll(".", "").toLowerCase().startsWith("bombed"))).toBe(
      LOGIN_LINKS_PER_MAILBOX_MAX,
    );
  });

  it("do not use up the allowance of a known device", async () => {
    const password = "correct horse battery";
    const { email } = await createMember(worker, { passwordHash: quickHash(password) });
    const response = await post(createVisitor(worker), "/api/auth", { username: email, password });
    const device = /plain_device=[^;]+/.exec(response.headers.get("set-cookie") ?? "")?.[0] ?? "";
    const body = { email, acknowledgements: ACCEPTED };
    for (let count = 0; count < 12; count += 1) await post(createVisitor(worker), "/api/auth/register", body);
    await expect.poll(() => mailsTo((to) => to === email)).toBe(LOGIN_LINKS_PER_MAILBOX_MAX);
    for (let count = 0; count < 6; count += 1) await post(createVisitor(worker), "/api/auth/register", body, device);
    const max = LOGIN_LINKS_PER_MAILBOX_MAX + LOGIN_LINKS_PER_KNOWN_DEVICE_MAX;
    expect(max).toBeLessThanOrEqual(5);
    await expect.poll(() => mailsTo((to) => to === email)).toBe(max);
  });

  it("are counted per IPv6 site rather than per network", async () => {
    const visitor = createVisitor(worker);
    const statuses: number[] = [];
    for (let network = 0; network < 62; network += 1) {
      const body = { email: `site${network}@example.test`, acknowledgements: ACCEPTED };
      const ip = `2001:db8:77:${network.toString(16)}::1`;
      statuses.push((await post(visitor, "/api/auth/register", body, "", ip)).status);
    }
    expect(statuses.filter((status) => status === 202)).toHaveLength(60);
    expect(statuses.slice(60)).toEqual([428, 428]);
  });
});

const send = (from: TestVisitor, path: string, body: object, headers: Record<string, string> = {}) =>
  from.fetch(path, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });

const withWork = async (
  from: TestVisitor,
  harder: number,
  call: (headers: Record<string, string>) => Promise<Response>,
) => call({ [WORK_HEADER]: JSON.stringify(await solveNewChallenge(from, { harder })) });

describe("many members behind one address", () => {
  /** Does the work that an answer asks for, as the site's pages do. */
  const getIn = async (from: TestVisitor, path: string, body: object, tries = 4): Promise<Response> => {
    const response = await send(from, path, body);
    if (response.status !== 428 || tries === 0) return response;
    const { error } = (await response.json()) as { error: { limit: number } };
    const proof = await solveNewChallenge(from, { harder: error.limit });
    if (path === "/api/auth/register") return send(from, path, { ...body, proof });
    return send(from, path, body, { [WORK_HEADER]: JSON.stringify(proof) });
  };

  it("all get in: 300 in an hour, half of them newcomers", { tags: "slow", timeout: 600_000 }, async () => {
    const carrier = randomIp();
    const customer = () => createVisitor(worker, "ember", carrier);
    const password = "correct horse battery";
    const passwordHash = quickHash(password);
    const logIn = async () => {
      const { email } = await createMember(worker, { passwordHash });
      return (await getIn(customer(), "/api/auth", { username: email, password })).status;
    };
    const join = async (at: number) => {
      const [email, from] = [`newcomer${at}@example.test`, customer()];
      expect((await getIn(from, "/api/auth/register", { email, acknowledgements: ACCEPTED })).status).toBe(202);
      const token = /token=([\w-]+)/.exec((await waitForMail(worker, email)).text)?.[1] ?? "";
      return (await getIn(from, "/api/auth/token", { token, confirmed: true })).status;
    };
    const statuses: number[] = [];
    for (let at = 0; at < 150; at += 10) {
      const ten = Array.from({ length: 10 }, (_, index) => [logIn(), join(at + index)]).flat();
      statuses.push(...(await Promise.all(ten)));
    }
    expect(statuses.filter((status) => status === 200)).toHaveLength(300);
    for (const step of [0, 1]) await limiterOf(worker, `links-${step}`).clear();
  });

  it.each([
    ["login-ip", LOGIN_FAILURES_WINDOW_MS, "/api/auth", { username: "nobody@example.test", password: "x" }, 401],
    ["login-digits-ip", DAY_MS, "/api/auth/digits", { ticket: "none", digits: "123456" }, 401],
    ["age-ip", HOUR_MS, "/api/age/request", { method: "eu-av" }, 201],
    ["contact", HOUR_MS, "/api/contactus-messages", { name: "x", message: "Help" }, 201],
  ])(
    "are asked for work, and not refused, where strangers of their network filled %s",
    async (name, windowMs, path, body, done) => {
      const ip = randomIp();
      const visitor = createVisitor(worker, "ember", ip);
      await hitLimit(worker, `${name}:${ip}`, 1000, windowMs);
      expect((await send(visitor, path, body)).status).toBe(428);
      expect((await withWork(visitor, 0, (headers) => send(visitor, path, body, headers))).status).toBe(done);
      await hitLimit(worker, `${name}-1:${ip}`, 10_000, windowMs);
      const harder = await withWork(visitor, 0, (headers) => send(visitor, path, body, headers));
      expect([harder.status, await harder.json()]).toMatchObject([428, { error: { limit: 1 } }]);
      for (const step of [1, 2]) await hitLimit(worker, `${name}-${step}:${ip}`, 100_000, windowMs);
      expect((await withWork(visitor, 2, (headers) => send(visitor, path, body, headers))).status).toBe(done);
    },
  );

  it("who log in leave the others as many tries as before", async () => {
    const ip = randomIp();
    await hitLimit(worker, `login-ip:${ip}`, LOGIN_ATTEMPTS_PER_IP_MAX - 1, LOGIN_FAILURES_WINDOW_MS);
    const password = "correct horse battery";
    const { email } = await createMember(worker, { passwordHash: quickHash(password) });
    const logIn = async (typed = password) =>
      (await post(createVisitor(worker, "ember", ip), "/api/auth", { username: email, password: typed })).status;
    expect([await logIn(), await logIn(), await logIn("wrong"), await logIn()]).toEqual([200, 200, 401, 428]);
  });

  it("get a link on a known device, whatever strangers of their network or of the site ask for", async () => {
    const ip = randomIp();
    const password = "correct horse battery";
    const { email } = await createMember(worker, { passwordHash: quickHash(password) });
    const visitor = createVisitor(worker, "ember", ip);
    const first = await post(visitor, "/api/auth", { username: email, password });
    const device = /plain_device=[^;]+/.exec(first.headers.get("set-cookie") ?? "")?.[0] ?? "";
    await hitLimit(worker, `link-ip:${ip}`, 1000, HOUR_MS);
    const ask = (cookie: string) => post(visitor, "/api/auth/register", { email, acknowledgements: ACCEPTED }, cookie);
    expect([(await ask("")).status, (await ask(device)).status]).toEqual([428, 202]);
    await waitForMail(worker, email);
  });
});

describe("attempts to log in", () => {
  it("are limited per network, by link and by password, whatever the address, but not for a known device", async () => {
    const visitor = createVisitor(worker);
    const tokenOf = (email: string) => Buffer.from(`${email}:${"x".repeat(43)}`).toString("base64");
    for (let attempt = 0; attempt < LOGIN_ATTEMPTS_PER_IP_MAX; attempt += 1) {
      const response = await post(visitor, "/api/auth/token", { token: tokenOf(`guess${attempt}@example.test`) });
      expect(await codeOf(response)).toBe("LINK_EXPIRED");
    }
    const password = "correct horse battery";
    const { email } = await createMember(worker, { passwordHash: quickHash(password) });
    for (const [path, body] of [
      ["/api/auth/token", { token: tokenOf(email) }],
      ["/api/auth", { username: email, password }],
    ] as const) {
      const refused = await post(visitor, path, body);
      expect([refused.status, await codeOf(refused)]).toEqual([428, "WORK_NEEDED"]);
    }
    // A neighbor of theirs is held up by seconds of work, and leaves the next one as much as before.
    const neighbor = await withWork(visitor, 0, (headers) =>
      send(visitor, "/api/auth", { username: email, password }, headers),
    );
    expect(neighbor.status).toBe(200);
    const first = await post(createVisitor(worker), "/api/auth", { username: email, password });
    const device = /plain_device=[^;]+/.exec(first.headers.get("set-cookie") ?? "")?.[0] ?? "";
    expect((await post(visitor, "/api/auth", { username: email, password }, device)).status).toBe(200);
  });
});

describe("registering", () => {
  it.each(["no", "yes", "cookies", "cookies; adult", "cookies: no; adult: no; geolocation: no", "all three", ""])(
    "needs all three acknowledgements, not %j",
    async (acknowledgements) => {
      const response = await post(createVisitor(worker), "/api/auth/register", {
        email: "no@example.test",
        acknowledgements,
      });
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({
        error: {
          code: "BAD_INPUT",
          field: "acknowledgements",
          message: "Acceptance of all of the acknowledgements above are required.",
        },
      });
    },
  );

  it("accepts the full texts under their names", async () => {
    const text = "I have read this and I agree to it; whatever stands in it.";
    const acknowledgements = `cookies: ${text}\n\nadult: ${text}\n\ngeolocation: ${text}`;
    const response = await post(createVisitor(worker), "/api/auth/register", {
      email: "all@example.test",
      acknowledgements,
    });
    expect(response.status).toBe(202);
  });

  it.each([
    ["a@x.test\u0000", "email: contains U+0000, which does not belong there"],
    ["a\u0007@x.test", "email: contains U+0007, which does not belong there"],
    ["a\u202E@x.test", "email: contains U+202E, which does not belong there"],
    ["a b@x.test", "email: contains a space, which does not belong there"],
    ["a;b@x.test", "email: contains “;” (U+003B), which does not belong there"],
    ['"a b"@x.test', "email: has quotation marks before the @, and such addresses cannot be used here"],
    ["a@x", "email: is not an email address"],
    [`${"é".repeat(33)}@x.test`, "email: is not an email address"],
  ])("rejects the address %j and says what is wrong", async (email, message) => {
    const response = await post(createVisitor(worker), "/api/auth/register", { email, acknowledgements: ACCEPTED });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { code: "BAD_INPUT", field: "email", message } });
  });

  it.each([
    "<pasted0@x.test>",
    "mailto:pasted1@x.test",
    " “pasted2@x.test”,",
    "pa\u200Bsted3@x.te\u00ADst.",
    "ｐａｓｔｅｄ４＠x.test",
  ])("mails to the address in %j", async (email) => {
    const pasted = await post(createVisitor(worker), "/api/auth/register", { email, acknowledgements: ACCEPTED });
    expect(pasted.status).toBe(202);
    await waitForMail(worker, `pasted${/\d|４/.exec(email)?.[0].normalize("NFKC")}@x.test`);
  });
});
