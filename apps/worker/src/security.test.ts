import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { LOGIN_FAILURES_MAX, LOGIN_LINKS_PER_EMAIL_MAX, REQUEST_MAX_BYTES } from "@lambda/contract/limits";
import { createMember, type TestMember } from "@lambda/testing/member";
import { quickHash } from "@lambda/testing/password";
import { runWrangler } from "@lambda/testing/site";
import { createVisitor, waitForMail } from "@lambda/testing/visitor";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { Hono } from "hono";
import { beforeAll, describe, expect, it } from "vitest";
import { DEVELOPMENT_ISSUER, SIGNERS } from "./accounts/age/development/certificates.ts";
import { errorResponse } from "./platform/http/error-response.ts";
import { limitBody } from "./platform/http/security.ts";

let worker: TestWorker;
let member: TestMember;
beforeAll(async () => {
  worker = await startWorker();
  member = await createMember(worker);
});

describe("a production build", () => {
  it("has no development route, header or key", { timeout: 120_000 }, async () => {
    const out = mkdtempSync(join(tmpdir(), "bundle-"));
    try {
      await runWrangler(["deploy", "--dry-run", "--env", "production", "--outdir", out]);
      const bundle = readFileSync(join(out, "index.js"), "utf8");
      expect(bundle).toContain("/api/openapi.json");
      for (const text of [
        "/dev/sql",
        "/dev/mail",
        "development-mail/",
        "x-development-now",
        "x-development-quotas",
        "x-d1-trips",
        "development-position-key",
        "demo-password",
        ".localhost",
        '"localhost"',
        "DEVELOPMENT_PORT",
        "demo-answer-",
        "demo-",
        "putting the kettle on",
        "/dev/wallet",
        "x-development-place",
        "development_place",
        "plain_",
        "Test wallet",
        SIGNERS.trusted.certificate,
        DEVELOPMENT_ISSUER,
        SIGNERS.trusted.key.d,
      ]) {
        expect(bundle, text).not.toContain(text);
      }
    } finally {
      rmSync(out, { recursive: true, force: true });
    }
  });
});

describe("requests", () => {
  it.each(["/api/profile-note", "/trpc/notes.put"])("%s rejects an oversized body before reading it", async (path) => {
    const app = new Hono().use(limitBody).post(path, (c) => c.text("read"));
    app.onError((error) => errorResponse(undefined, error));
    const send = (bytes: number) => app.request(path, { method: "POST", body: new Uint8Array(bytes) });
    expect((await send(REQUEST_MAX_BYTES)).status).toBe(200);
    const response = await send(REQUEST_MAX_BYTES + 1);
    expect(response.status).toBe(413);
    expect(await response.json()).toMatchObject({ error: { code: "TOO_LARGE" } });
  });

  it("rejects a batch with too many calls", async () => {
    const calls = Array.from({ length: 31 }, () => "profiles.mine").join(",");
    expect((await member.fetch(`/trpc/${calls}?batch=1&input=%7B%7D`)).status).toBe(400);
  });

  it.each(["accept", "trpc-accept"])("rejects a batch that %s would stream, as its calls run later", async (name) => {
    const batch = (value: string) =>
      member.fetch("/trpc/profiles.mine,accounts.session?batch=1&input=%7B%7D", { headers: { [name]: value } });
    expect((await batch("text/plain, application/jsonl")).status).toBe(400);
    expect((await batch("application/jsonl")).status).toBe(400);
    expect(Number((await batch("application/json")).headers.get("x-d1-rows-read"))).toBeGreaterThan(0);
  });

  it("answers a malformed escape with an error of the caller", async () => {
    for (const path of ["/trpc/%E0%A4%A", "/trpc/a,%ff?batch=1", "/api/profile/%ff", "/api/%E0%A4%A"])
      expect((await member.fetch(path)).status, path).toBeOneOf([400, 404]);
  });

  it.each(["/", "/api/ping", "/api/profiles/mine", "/api/nothing", "/trpc/nothing"])(
    "%s has the security headers",
    async (path) => {
      const { headers } = await member.fetch(path);
      expect(headers.get("content-security-policy")).toMatch(
        // Once the web application is built, a visitor's first page allows its one inline script and style.
        path === "/"
          ? /default-src 'none'; script-src 'self'( 'sha256-[^']+')?; style-src 'self'( 'sha256-[^']+')?;.*frame-ancestors 'none'/
          : /default-src 'none'; script-src 'self'; style-src 'self';.*frame-ancestors 'none'/,
      );
      expect(headers.get("content-security-policy")).not.toMatch(/unsafe/);
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("referrer-policy")).toBe("no-referrer");
      expect(headers.get("cross-origin-resource-policy")).toBe("same-origin");
    },
  );

  it("answers 404 without caching for a file of an earlier build", async () => {
    for (const path of ["/assets/Gone-12345678.js", "/assets/", "/icons/nobody.png"]) {
      const response = await member.fetch(path, { headers: { "sec-fetch-mode": "navigate" } });
      expect(response.status, path).toBe(404);
      expect(response.headers.get("content-type"), path).not.toMatch(/html/);
      expect(response.headers.get("cache-control"), path).toBe("no-store");
      expect(response.headers.get("content-security-policy"), path).toMatch(/default-src 'none'/);
    }
  });

  it("serves a file of another build that a deployment kept, and nothing else of that bucket", async () => {
    const { TILES } = worker.env;
    const httpMetadata = { contentType: "text/javascript; charset=utf-8" };
    await TILES.put("assets/Kept-1234567.js", "export {};", { httpMetadata });
    await TILES.put("assets/folder/Kept-1234567.js", "export {};", { httpMetadata });
    await TILES.put("tiles/kept.pmtiles", "PMTiles");
    const kept = await member.fetch("/assets/Kept-1234567.js");
    expect([kept.status, await kept.text(), Object.fromEntries(kept.headers)]).toEqual([
      200,
      "export {};",
      expect.objectContaining({
        ...{ "content-type": "text/javascript; charset=utf-8", "x-content-type-options": "nosniff" },
        "cache-control": "public, max-age=31536000, immutable",
      }),
    ]);
    for (const path of ["/assets/folder/Kept-1234567.js", "/assets/..%2ftiles/kept.pmtiles", "/icons/Kept-1234567.js"])
      expect((await member.fetch(path)).status, path).toBe(404);
  });

  it("serves every file except /assets through the worker, and application paths with the document", async () => {
    const dist = fileURLToPath(import.meta.resolve("../../web/dist/"));
    const files = readdirSync(dist, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name !== "_headers")
      .map((entry) => `/${relative(dist, join(entry.parentPath, entry.name)).replaceAll("\\", "/")}`)
      .filter((path) => !path.startsWith("/assets/"));
    expect(files).toContain("/index.html");
    for (const path of [...files, "/map", "/view_profile/1", "/home"]) {
      const { headers } = await member.fetch(path, { redirect: "manual", headers: { "sec-fetch-mode": "navigate" } });
      expect(headers.get("content-security-policy"), path).toMatch(/default-src 'none'/);
    }
    expect(await (await member.fetch("/map")).text()).toContain('data-brand="ember"');
  });

  it("keeps responses about members out of every cache, errors included", async () => {
    for (const path of ["/api/profiles/mine", "/api/profile/99999", "/trpc/profiles.mine", "/api/nothing"]) {
      expect((await member.fetch(path)).headers.get("cache-control"), path).toBe("private, no-store");
    }
  });
});

describe("logging in", () => {
  const wrong = (email: string) => ({ username: email, password: "not the password" });

  it("gives the same response for a wrong password, an unknown address and a deleted account", async () => {
    const passwordHash = quickHash("correct horse battery");
    const [known, deleted] = await Promise.all([
      createMember(worker, { passwordHash }),
      createMember(worker, { passwordHash, status: "deleted" }),
    ]);
    const responses = [];
    for (const body of [
      wrong(known.email),
      wrong("nobody@example.test"),
      { username: deleted.email, password: "correct horse battery" },
    ]) {
      const response = await createVisitor(worker).send("POST", "/api/auth", body);
      responses.push([response.status, response.headers.get("set-cookie"), await response.text()]);
    }
    expect(responses[1]).toEqual(responses[0]);
    expect(responses[2]).toEqual(responses[0]);
    expect(responses[0]?.[0]).toBe(401);
  });

  it("by link still works after somebody else requested links for the same member", async () => {
    const victim = await createMember(worker);
    const registration = { email: victim.email, acknowledgements: "cookies; adult; geolocation" };
    const countMails = async () =>
      ((await (await createVisitor(worker).fetch("/dev/mail.json")).json()) as { to: string }[]).filter(
        ({ to }) => to === victim.email,
      ).length;
    const stalker = createVisitor(worker);
    for (let count = 0; count < LOGIN_LINKS_PER_EMAIL_MAX + 3; count += 1) {
      expect((await stalker.send("POST", "/api/auth/register", registration)).status).toBe(202);
    }
    await expect.poll(countMails).toBe(LOGIN_LINKS_PER_EMAIL_MAX);
    expect((await createVisitor(worker).send("POST", "/api/auth/register", registration)).status).toBe(202);
    await expect.poll(countMails).toBe(LOGIN_LINKS_PER_EMAIL_MAX + 1);
  });

  it("by link still works while somebody else keeps guessing the member's password", async () => {
    const victim = await createMember(worker, { passwordHash: quickHash("correct horse battery") });
    let status = 0;
    const stranger = createVisitor(worker);
    for (let attempt = 0; attempt <= LOGIN_FAILURES_MAX; attempt += 1) {
      status = (await stranger.send("POST", "/api/auth", wrong(victim.email))).status;
    }
    expect(status).toBe(429);
    const visitor = createVisitor(worker);
    const registration = { email: victim.email, acknowledgements: "cookies; adult; geolocation" };
    expect((await visitor.send("POST", "/api/auth/register", registration)).status).toBe(202);
    const { text } = await waitForMail(worker, victim.email);
    const token = /token=([\w-]+)/.exec(text)?.[1];
    expect((await visitor.send("POST", "/api/auth/token", { token, confirmed: true })).status).toBe(200);
  });
});
