import { characteristicsToBits } from "@lambda/contract/characteristics";
import { as } from "@lambda/testing/member";
import { asVisitor } from "@lambda/testing/visitor";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { beforeAll, describe, expect, it } from "vitest";

let worker: TestWorker;
beforeAll(async () => {
  worker = await startWorker();
});

describe("the REST adapter", () => {
  it("names the field of bad input, and never answers 500 for it", async () => {
    const member = await as(worker);
    const answer = await member.send("PUT", "/api/profile", { birthdate: "not a date" });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ error: { code: "BAD_INPUT", field: "birthdate" } });
  });

  it.each(["{", "[1]", '"text"', "null"])("refuses the body %s as bad input", async (body) => {
    const member = await as(worker);
    const headers = { "content-type": "application/json" };
    const answer = await member.fetch("/api/profile", { method: "PUT", headers, body });
    expect(answer.status).toBe(400);
  });

  it("answers 404 in its own shape for an unknown path", async () => {
    const answer = await asVisitor(worker).fetch("/api/nothing-here");
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({ error: { code: "NOT_FOUND" } });
  });

  it("answers 400, not 404, for an id that is no number", async () => {
    const member = await as(worker);
    const answer = await member.fetch("/api/profile/abc");
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ error: { field: "id" } });
  });

  it.each([
    ["GET", "/api/profile-briefs/by-sector/33:", 400],
    ["GET", "/api/profile-briefs/by-sector/33:-112:9", 400],
    ["GET", "/api/profile-briefs/by-sector/33", 400],
    ["GET", "/api/profile-briefs/by-sector/33.5:-1.12e2", 200],
    ["GET", "/api/profile-briefs/by-bounds?latMin=&lonMin=-113&latMax=34&lonMax=-112", 400],
    ["GET", "/api/profile-briefs/nearest?size=0x10", 400],
    ["GET", "/api/profile/%201", 400],
    ["POST", { recipientProfileId: true, bodyText: "Hello" }, 400],
    ["POST", { recipientProfileId: [1], bodyText: "Hello" }, 400],
    ["POST", { recipientProfileId: 1, attachment: { type: "position", exact: true, lat: null, lon: null } }, 400],
  ] as const)("takes for a number what is written as one alone: %s %o", async (method, what, status) => {
    const member = await as(worker);
    const answer = typeof what === "string" ? member.fetch(what) : member.send(method, "/api/message", what);
    expect((await answer).status).toBe(status);
  });

  it("describes itself in OpenAPI 3.1", async () => {
    const answer = await asVisitor(worker).fetch("/api/openapi.json");
    const document = (await answer.json()) as { openapi: string; paths: Record<string, Record<string, unknown>> };
    expect(document.openapi).toBe("3.1.0");
    expect(Object.keys(document.paths["/api/profile/{id}"] ?? {})).toEqual(["get"]);
    expect(document.paths["/api/auth"]?.post).toMatchObject({ operationId: "accounts.login" });
    // Those that carry bytes and no JSON, written down by hand.
    for (const path of ["/api/profile-pic/nsfw/{id}", "/api/evidence/{id}"]) {
      expect(Object.keys(document.paths[path] ?? {}), path).toEqual(["get"]);
    }
    expect(Object.keys(document.paths["/api/account/export"] ?? {})).toEqual(["post"]);
    expect(document.paths["/api/profile/{id}"]?.get).toMatchObject({
      parameters: [{ name: "id", required: true, schema: { type: "integer" } }],
    });
  });
});

describe("a query", () => {
  it("that names a value twice asks for both, and is refused where one is taken", async () => {
    const me = await as(worker);
    const place = { use: "OVERRIDE", overrideLat: 46.5, overrideLon: 2.5, hide: false };
    const tags = ["bear", "coffee"].map((tag) => characteristicsToBits([tag]));
    const [bear, coffee] = tags as [number, number];
    const [both, one] = [
      await as(worker, { characteristics: bear | coffee }),
      await as(worker, { characteristics: bear }),
    ];
    for (const member of [me, both, one]) {
      await member.send("PUT", `/api/profile-position/${member.id}`, { profileId: member.id, ...place });
    }
    const found = async (query: string) =>
      (await me.get<{ profileId: number }[]>(`/api/profile-briefs/nearest?${query}`)).map(({ profileId }) => profileId);
    expect(await found("characteristics=bear&characteristics=coffee")).toEqual([both.id]);
    expect(await found("characteristics=bear,coffee")).toEqual([both.id]);
    const answer = await me.fetch("/api/profile-briefs/nearest?ageMin=20&ageMin=30");
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ error: { field: "ageMin" } });
  });

  it.each([
    "/api/conversations",
    "/api/messages/area",
    "/api/messages/between/{me}/{other}",
    "/api/messages/most-recent-with/{other}",
    "/api/messages/by-sector/12:8",
  ])("for a numbered page of messages is refused: %s", async (path) => {
    const [me, other] = [await as(worker), await as(worker)];
    const real = path.replace("{me}", String(me.id)).replace("{other}", String(other.id));
    const answer = await me.fetch(`${real}?page=1`);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ error: { field: "page" } });
    expect((await me.fetch(`${real}?page=0`)).status).not.toBe(400);
  });
});

describe("every answer", () => {
  it("carries the security headers", async () => {
    for (const path of ["/", "/api/ping", "/api/nothing-here", "/manifest.webmanifest"]) {
      const { headers } = await asVisitor(worker).fetch(path);
      expect(headers.get("content-security-policy"), path).toContain("default-src 'none'");
      expect(headers.get("content-security-policy"), path).not.toContain("unsafe-inline");
      expect(headers.get("x-content-type-options"), path).toBe("nosniff");
      expect(headers.get("referrer-policy"), path).toBe("no-referrer");
      expect(headers.get("x-frame-options"), path).toBe("DENY");
    }
  });

  it("about members is kept by no cache", async () => {
    const member = await as(worker);
    const { headers } = await member.fetch("/api/profiles/mine");
    expect(headers.get("cache-control")).toBe("private, no-store");
  });
});

describe("an unknown host", () => {
  it("gets 421 and no brand's name, on every path", async () => {
    for (const path of ["/", "/api/ping", "/login"]) {
      const answer = await worker.fetch(`http://unknown.test${path}`);
      expect(answer.status).toBe(421);
      expect(await answer.text()).not.toMatch(/ember|harbor|bramble/i);
    }
  });
});

describe("the document", () => {
  it("says by its status whether there is a page", async () => {
    const status = async (path: string) => (await asVisitor(worker).fetch(path)).status;
    for (const path of ["/", "/login", "/games/", "/profile", "/profile/17", "/search/tile?ageMin=20"]) {
      expect(await status(path), path).toBe(200);
    }
    for (const path of ["/nowhere", "/profile/17/more", "/Games", "/search", "/wp-login.php"]) {
      const answer = await asVisitor(worker).fetch(path);
      expect(answer.status, path).toBe(404);
      expect(answer.headers.get("content-type"), path).toContain("text/html");
    }
  });

  it.each(["ember", "harbor", "bramble"] as const)("bears the brand of its host: %s", async (brand) => {
    const answer = await asVisitor(worker, brand).fetch("/");
    expect(answer.headers.get("content-type")).toContain("text/html");
    const manifest = await asVisitor(worker, brand).fetch("/manifest.webmanifest");
    expect(((await manifest.json()) as { name: string }).name.toLowerCase()).toBe(brand);
  });
});
