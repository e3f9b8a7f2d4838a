import { BRANDS } from "@lambda/brands";
import { plainCookieName } from "@lambda/contract/headers";
import { createMember } from "@lambda/testing/member";
import { quickHash } from "@lambda/testing/password";
import { type ProductionWorker, startProductionWorker } from "@lambda/testing/production-worker";
import { waitForMail } from "@lambda/testing/visitor";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findSite } from "./address.ts";

const registration = (email: string) => JSON.stringify({ email, acknowledgements: "cookies; adult; geolocation" });

function register(worker: TestWorker, origin: string, email: string): Promise<Response> {
  return worker.fetch(`${origin}/api/auth/register`, {
    method: "POST",
    headers: { origin, "content-type": "application/json" },
    body: registration(email),
  });
}

const PASSWORD = "a long password 17";

/** Names and protection of the cookies that a login sets. */
async function logInAt(worker: TestWorker, origin: string, username: string): Promise<string[]> {
  const response = await worker.fetch(`${origin}/api/auth`, {
    method: "POST",
    headers: { origin, "content-type": "application/json" },
    body: JSON.stringify({ username, password: PASSWORD }),
  });
  expect(response.status, await response.clone().text()).toBe(200);
  return response.headers
    .getSetCookie()
    .map((cookie) => [cookie.split("=")[0], ...(cookie.match(/Secure|HttpOnly/g) ?? [])].join(" "))
    .toSorted();
}
const COOKIES_OVER_HTTPS = [
  "__Host-device HttpOnly Secure",
  "__Host-session HttpOnly Secure",
  "__Host-used HttpOnly Secure",
  "logged_in Secure",
];

describe("links in mails", () => {
  let worker: TestWorker;
  beforeAll(async () => {
    worker = await startWorker();
  });

  it.each([
    ["http://ember.example", "https://ember.example"],
    ["http://ember.example:8080", "https://ember.example"],
    ["https://www.ember.example:2053", "https://ember.example"],
    ["http://harbor.example.", "https://harbor.example"],
    ["http://ember.localhost:1337", "http://ember.localhost:1337"],
    ["http://ember.localhost.", "http://ember.localhost"],
  ])("requested at %s lead to %s", async (origin, site) => {
    const email = `link-${crypto.randomUUID()}@example.test`;
    expect((await register(worker, origin, email)).status).toBe(202);
    const { text } = await waitForMail(worker, email);
    expect(text.match(/\S+(?=\/login\?token=)/)?.[0]).toBe(site);
  });

  it("that confirm an address lead to the same site", async () => {
    const member = await createMember(worker, { freshProof: true });
    const email = `moved-${crypto.randomUUID()}@example.test`;
    // The session belongs to the brand, whichever spelling of its host is used.
    const origin = "http://www.ember.example:8080";
    const response = await worker.fetch(`${origin}/api/settings`, {
      method: "PUT",
      headers: { origin, cookie: member.cookie, "content-type": "application/json" },
      body: JSON.stringify({ email }),
    });
    expect(response.status).toBe(200);
    const { text } = await waitForMail(worker, email);
    expect(text.match(/\S+(?=\/settings\?confirm=)/)?.[0]).toBe("https://ember.example");
  });
});

it("a development build keeps a session on plain http in every browser, and as in production over https", async () => {
  const worker = await startWorker();
  const { email } = await createMember(worker, { passwordHash: quickHash(PASSWORD) });
  expect(await logInAt(worker, "https://ember.localhost", email)).toEqual(COOKIES_OVER_HTTPS);
  expect(await logInAt(worker, "http://ember.localhost", email)).toEqual(
    COOKIES_OVER_HTTPS.map((cookie) => cookie.replace("__Host-", "plain_").replace(" Secure", "")).toSorted(),
  );
});

it.each(["http://a@b/", "http://a:b@ember.example/", "http://ember.example:1:2/", "http://ember.example, evil.test/"])(
  "%s names no host",
  (url) => {
    const { refusal, brand } = findSite({ url } as Request);
    expect(brand).toBeUndefined();
    expect(refusal?.status).toBe(421);
  },
);

describe("an origin", () => {
  it.each([
    "https://ember.localhost",
    "http://ember.localhost:8080",
    "http://evil@ember.localhost",
    "chrome-extension://ember.localhost",
    "http://ember.localhost/",
    "http://EMBER.localhost",
    "http://ember.localhost.",
    "null",
  ])("%s is not this site's", async (origin) => {
    const worker = await startWorker();
    const member = await createMember(worker);
    const response = await worker.fetchDirectly("http://ember.localhost/api/auth/logout", {
      method: "POST",
      headers: { origin, cookie: member.cookie },
    });
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({ error: { code: "FOREIGN_ORIGIN" } });
    expect((await member.fetch("/api/profiles/mine")).status).toBe(200);
  });
});

describe("the deployed worker", () => {
  let site: ProductionWorker;
  beforeAll(async () => {
    site = await startProductionWorker();
  });
  afterAll(() => site.close());

  it("does not serve local hosts", async () => {
    for (const host of ["localhost", "ember.localhost", "harbor.localhost.", "localhost:8787"]) {
      for (const scheme of ["http", "https"]) {
        expect((await site.worker.fetchDirectly(`${scheme}://${host}/api/ping`)).status, host).toBe(421);
      }
    }
    for (const brand of BRANDS) {
      expect((await site.worker.fetchDirectly(`https://${brand.hosts[0]}/api/ping`)).status).toBe(200);
    }
  });

  it("redirects reads to the site's one origin and rejects other methods elsewhere", async () => {
    for (const address of [
      "http://ember.example",
      "http://ember.example:8080",
      "https://ember.example:2053",
      "https://ember.example.",
      "https://www.ember.example",
    ]) {
      for (const method of ["GET", "HEAD"]) {
        const redirect = await site.worker.fetchDirectly(`${address}/login?token=a%2Bb`, {
          method,
          redirect: "manual",
        });
        expect(redirect.status, address).toBe(308);
        expect(redirect.headers.get("location")).toBe("https://ember.example/login?token=a%2Bb");
      }
      const posted = await site.worker.fetchDirectly(`${address}/api/auth/register`, {
        method: "POST",
        headers: { origin: address, "content-type": "application/json" },
        body: registration("misled@example.test"),
      });
      expect(posted.status, address).toBe(421);
      expect(await posted.json()).toMatchObject({
        error: { code: "UNKNOWN_HOST", message: "This site is served at https://ember.example alone." },
      });
    }
    expect(await site.worker.env.DB.prepare("select count(*) n from login_code").first()).toEqual({ n: 0 });
  });

  it("leads back to a link whose # was escaped, and logs nothing of its secret", async () => {
    site.takeLogs();
    const get = (path: string) => site.worker.fetchDirectly(`https://ember.example${path}`, { redirect: "manual" });
    for (const mark of ["%23", "%2523", "%252523"]) {
      const answer = await get(`/meet/${"A".repeat(22)}${mark}s3cret-_.es?utm_source=chat`);
      expect([answer.status, answer.headers.get("location"), answer.headers.get("referrer-policy")]).toEqual([
        302,
        `https://ember.example/meet/${"A".repeat(22)}?utm_source=chat#s3cret-_.es`,
        "no-referrer",
      ]);
    }
    expect((await get("//evil.example%23x")).headers.get("location")).toBe("https://ember.example//evil.example#x");
    expect((await get("/api/profile%23x")).status).toBe(404);
    const logs = site.takeLogs();
    expect(logs.length).toBeGreaterThan(0);
    expect(logs.join()).not.toMatch(/s3cret|AAAA|evil/);
  });

  it("sets and takes its cookies under their own names alone", async () => {
    const account = await createMember(site.worker, { passwordHash: quickHash(PASSWORD) });
    const cookies = await logInAt(site.worker, "https://ember.example", account.email);
    expect(cookies).toEqual(COOKIES_OVER_HTTPS);
    const readWith = async (cookie: string) =>
      (await site.worker.fetch("/api/settings", { headers: { cookie } })).status;
    expect(await readWith(account.cookie)).toBe(200);
    expect(await readWith(plainCookieName(account.cookie))).toBe(401);
  });

  it("accepts a registration at its own origin", async () => {
    expect((await register(site.worker, "https://ember.example", "own@example.test")).status).toBe(202);
    await expect.poll(() => site.worker.env.DB.prepare("select count(*) n from login_code").first()).toEqual({ n: 1 });
  });
});
