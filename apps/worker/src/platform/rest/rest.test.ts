import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { BRANDS } from "@lambda/brands";
import { CHARACTERISTICS, characteristicsToBits } from "@lambda/contract/characteristics";
import { ERRORS, type ErrorBody } from "@lambda/contract/errors";
import { findInputProblem, inputProblemText } from "@lambda/contract/input-problems";
import { DAY_MS } from "@lambda/contract/limits";
import type { OpenApi } from "@lambda/testing/fuzz";
import { createMember } from "@lambda/testing/member";
import { createVisitor } from "@lambda/testing/visitor";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { beforeAll, describe, expect, it } from "vitest";
import { appRouter } from "../../router.ts";
import { listRestRoutes } from "./adapter.ts";

interface Operation {
  readonly security?: unknown;
  readonly parameters?: readonly { readonly name: string; readonly schema: Record<string, unknown> }[];
  readonly responses: { readonly default?: { readonly content?: Record<string, { readonly schema: unknown }> } };
}

let worker: TestWorker;
beforeAll(async () => {
  worker = await startWorker();
});

describe("the REST adapter", () => {
  it("names the field of bad input", async () => {
    const member = await createMember(worker);
    const response = await member.send("PUT", "/api/profile", { birthdate: "not a date" });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { code: "BAD_INPUT", field: "birthdate" } });
  });

  it.each(["{", "[1]", '"text"', "null"])("rejects the body %s as bad input", async (body) => {
    const member = await createMember(worker);
    const headers = { "content-type": "application/json" };
    const response = await member.fetch("/api/profile", { method: "PUT", headers, body });
    expect(response.status).toBe(400);
  });

  it.each([
    ["application/json; charset=utf-8", '\uFEFF{"height":"\u200B1,75\u00AD "}'],
    ["APPLICATION/JSON;charset=UTF-8", '{"height":"tall","height":"1,75"}'],
    ["text/plain", '{"height":"1,75"}'],
    ["application/x-www-form-urlencoded; charset=UTF-8", "height=1%2C75"],
    [
      "Multipart/Form-Data; boundary=x",
      '--x\r\ncontent-disposition: form-data; name="height"\r\n\r\n1,75\r\n--x--\r\n',
    ],
  ])("reads a body of the type %s", async (type, body) => {
    const member = await createMember(worker);
    const response = await member.fetch("/api/profile", { method: "PUT", headers: { "content-type": type }, body });
    expect(await response.json()).toMatchObject({ height: "1,75" });
  });

  it("takes no field of a form that has two values", async () => {
    const member = await createMember(worker);
    const twice = { method: "PUT", body: new URLSearchParams([..."12"].map((height) => ["height", height])) };
    const response = await member.fetch("/api/profile", twice);
    expect([response.status, await response.json()]).toMatchObject([400, { error: { field: "height" } }]);
  });

  it.each(["Application/JSON; charset=utf-8", "application/json", "APPLICATION/JSON"])(
    "reads a tRPC call of the type %s",
    async (type) => {
      const member = await createMember(worker);
      const request = { method: "POST", headers: { "content-type": type }, body: '{"height":"1,75"}' };
      const response = await member.fetch("/trpc/profiles.update", request);
      expect(await response.json()).toMatchObject({ result: { data: { height: "1,75" } } });
    },
  );

  const CALLS = [
    ["PUT", "/api/profile"],
    ["POST", "/trpc/profiles.update"],
  ] as const;
  const toUtf16 = (text: string) => Buffer.from(`\uFEFF${text}`, "utf16le");

  it.each(CALLS)("says why it cannot read a body: %s %s", async (method, path) => {
    const member = await createMember(worker);
    const send = async (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) => {
      const type = { "content-type": "application/json" };
      const response = await member.fetch(path, { method, headers: { ...type, ...headers }, body });
      const answer = JSON.stringify(await response.json());
      return [response.status, /"message":"(.*?)"/.exec(answer)?.[1], response.headers.get("accept-encoding")];
    };
    const json = '{"height":"1,75"}';
    const noCoding = "A body with a Content-Encoding is not read here. Send it as it is.";
    for (const coding of ["gzip", "GZIP", "br, gzip"]) {
      const compressed = { "content-encoding": coding };
      expect(await send(new Uint8Array(gzipSync(json)), compressed)).toEqual([415, noCoding, "identity"]);
    }
    expect((await send(json, { "content-encoding": "identity" }))[0]).toBe(200);
    const noJson = "The input could not be read: it must be JSON in UTF-8.";
    const latin1 = Buffer.from('{"description":"¿Qué?"}', "latin1");
    const broken = [toUtf16(json), "{", new Uint8Array(gzipSync(json)), ...(method === "PUT" ? [latin1] : [])];
    for (const body of broken) expect(await send(new Uint8Array(Buffer.from(body)))).toEqual([400, noJson, null]);
  });

  it("names the one type of tRPC calls", async () => {
    const member = await createMember(worker);
    const response = await member.fetch("/trpc/profiles.update", { method: "POST", body: '{"height":"1,75"}' });
    expect(await response.json()).toMatchObject({
      error: { message: "Send the body as application/json.", data: { httpStatus: 415 } },
    });
  });

  it("takes a text of which nothing is seen for an empty one", async () => {
    const [member, other] = [await createMember(worker), await createMember(worker)];
    for (const bodyText of ["\u200B", " \uFEFF\n", "\u3164", "\u202E", " \u2800\u2800\n"]) {
      const response = await member.send("POST", "/api/message", { recipientProfileId: other.id, bodyText });
      expect(await response.json()).toMatchObject({ error: { field: "bodyText" } });
    }
    const tags = (privateTags: string[]) =>
      member.send("PUT", "/api/profile-note", { aboutProfileId: other.id, bodyText: "", privateTags });
    expect(await (await tags(["\u200B"])).json()).toMatchObject({ error: { field: "privateTags.0" } });
    expect(await (await tags(["\u2800"])).json()).toMatchObject({ error: { field: "privateTags.0" } });
    expect(await (await tags(["bar\u200B", "bar"])).json()).toMatchObject({ error: { field: "privateTags" } });
    expect(await (await tags(["bar\uFEFF", "می\u200Cخواهم"])).json()).toMatchObject({
      privateTags: ["bar", "می\u200Cخواهم"],
    });
  });

  it("answers an unknown path with 404 in the error format", async () => {
    const response = await createVisitor(worker).fetch("/api/nothing-here");
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ error: { code: "NOT_FOUND" } });
  });

  it("answers 400, not 404, for an id that is not a number", async () => {
    const member = await createMember(worker);
    const response = await member.fetch("/api/profile/abc");
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { field: "id" } });
    expect(await (await member.fetch("/api/profile/0")).json()).toMatchObject({ error: { limit: 1 } });
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
  ] as const)(
    "accepts only values written as numbers where it expects numbers: %s %o",
    async (method, request, status) => {
      const member = await createMember(worker);
      const response =
        typeof request === "string" ? member.fetch(request) : member.send(method, "/api/message", request);
      expect((await response).status).toBe(status);
    },
  );

  it("describes itself in OpenAPI 3.1", async () => {
    const response = await createVisitor(worker).fetch("/api/openapi.json");
    const document = (await response.json()) as { openapi: string; paths: Record<string, Record<string, unknown>> };
    expect(document.openapi).toBe("3.1.0");
    expect(Object.keys(document.paths["/api/profile/{id}"] ?? {})).toEqual(["get"]);
    expect(document.paths["/api/auth"]?.post).toMatchObject({ operationId: "accounts.login" });
    // Byte routes, described by hand.
    for (const path of ["/api/profile-pic/nsfw/{id}", "/api/evidence/{id}"]) {
      expect(Object.keys(document.paths[path] ?? {}), path).toEqual(["get"]);
    }
    expect(Object.keys(document.paths["/api/account/export"] ?? {})).toEqual(["post"]);
    const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods) as Operation[]);
    expect(operations.filter(({ security }) => !security)).toEqual([]);
    expect(document.paths["/api/ping"]?.get).toMatchObject({ security: [] });
    expect(JSON.stringify(document.paths["/api/ping"])).toContain('"NOT_LOGGED_IN"');
    const parameters = operations.flatMap((operation) => operation.parameters ?? []);
    const schemasOf = (name: string) =>
      parameters.filter((parameter) => parameter.name === name).map(({ schema }) => schema);
    for (const schema of schemasOf("cursor"))
      expect(schema.pattern ?? schema.maximum, JSON.stringify(schema)).toBeDefined();
    // Byte routes list their refusals one by one.
    const errors = operations.flatMap(
      ({ responses }) => responses.default?.content?.["application/json"]?.schema ?? [],
    );
    expect(errors.length).toBe(listRestRoutes(appRouter).length);
    for (const error of errors)
      expect(error).toMatchObject({ properties: { error: { properties: { code: { enum: Object.keys(ERRORS) } } } } });
    expect(schemasOf("characteristics")).toMatchObject([{ type: "array", items: { enum: CHARACTERISTICS } }]);
    for (const schema of schemasOf("scale_x")) expect(schema).toMatchObject({ exclusiveMinimum: 0, maximum: 100_000 });
    expect(document.paths["/api/profile/{id}"]?.get).toMatchObject({
      parameters: [{ name: "id", required: true, schema: { type: "integer" } }],
    });
  });
});

it("the README's examples send only fields that the OpenAPI document has", async () => {
  const document = await (await createVisitor(worker).fetch("/api/openapi.json")).json<OpenApi>();
  const readme = readFileSync(fileURLToPath(import.meta.resolve("../../../../../README.md")), "utf8");
  const examples = [...readme.matchAll(/json (-X PUT )?\$SITE(\/api\S+) -d (['"])(\{.*\})\3$/gm)];
  expect(examples.length).toBeGreaterThanOrEqual(5);
  for (const [, put, path = "", , body = ""] of examples) {
    const pattern = Object.keys(document.paths).find((name) => name.replace(/\{\w+\}/g, "$ME") === path) ?? "";
    const operation = document.paths[pattern]?.[put ? "put" : "post"];
    const fields = Object.keys(operation?.requestBody?.content["application/json"]?.schema.properties ?? {});
    const sent = [...body.replaceAll("\\", "").matchAll(/"(\w+)":/g)].map(([, field]) => field);
    expect(fields, path).toEqual(expect.arrayContaining(sent));
  }
});

describe("bad input", () => {
  it.each([
    [
      "GET",
      "/api/profile-briefs/by-bounds?latMin=91&lonMin=0&latMax=92&lonMax=1",
      undefined,
      "latMin",
      "is too big: at most 90",
    ],
    [
      "GET",
      "/api/profile-briefs/by-bounds?latMin=40&lonMin=0&latMax=30&lonMax=1",
      undefined,
      "latMax",
      "ends before it begins",
    ],
    ["GET", "/api/profile-positions/aggregates?latMin=40&latMax=30", undefined, "latMax", "ends before it begins"],
    ["GET", "/api/profile-briefs/nearest?size=many", undefined, "size", "is not a number"],
    [
      "GET",
      "/api/profile-briefs/nearest?characteristics=tall",
      undefined,
      "characteristics.0",
      "is not one of the possible values",
    ],
    ["GET", "/api/profile-briefs/nearest?cursor=1", undefined, "cursor", "does not have the right form"],
    ["PUT", "/api/profile", { birthdate: "soon" }, "birthdate", "is not a date"],
    ["PUT", "/api/profile", { height: "x".repeat(41) }, "height", "is too long: at most 40 characters"],
    ["POST", "/api/contactus-messages", { name: " ", message: "Hello" }, "name", "is required"],
  ] as const)("is refused in plain words: %s %s %o", async (method, path, body, field, words) => {
    const member = await createMember(worker);
    const response = await (body ? member.send(method as "PUT", path, body) : member.fetch(path));
    expect(response.status).toBe(400);
    const { error } = await response.json<ErrorBody>();
    expect(error).toMatchObject({ code: "BAD_INPUT", field, message: `${field}: ${words}` });
    expect(inputProblemText(findInputProblem(error.reason)!, error.limit, "en")).toBe(words);
    expect(inputProblemText(findInputProblem(error.reason)!, error.limit, "es")).not.toContain("{");
  });

  it("is not a box across the date line", async () => {
    const member = await createMember(worker);
    const path = "/api/profile-briefs/by-bounds?latMin=-20&lonMin=179&latMax=-10&lonMax=-179";
    expect((await member.fetch(path)).status).toBe(200);
  });
});

describe("a query string", () => {
  it("with a repeated parameter passes all values, and is rejected where one is expected", async () => {
    const me = await createMember(worker);
    const place = { use: "OVERRIDE", overrideLat: 46.5, overrideLon: 2.5, hide: false };
    const tags = ["bear", "coffee"].map((tag) => characteristicsToBits([tag]));
    const [bear, coffee] = tags as [number, number];
    const [both, one] = [
      await createMember(worker, { characteristics: bear | coffee }),
      await createMember(worker, { characteristics: bear }),
    ];
    for (const member of [me, both, one]) {
      await member.send("PUT", `/api/profile-position/${member.id}`, { profileId: member.id, ...place });
    }
    const listNearest = async (query: string) =>
      (await me.get<{ profileId: number }[]>(`/api/profile-briefs/nearest?${query}`)).map(({ profileId }) => profileId);
    expect(await listNearest("characteristics=bear&characteristics=coffee")).toEqual([both.id]);
    expect(await listNearest("characteristics=bear,coffee")).toEqual([both.id]);
    const response = await me.fetch("/api/profile-briefs/nearest?ageMin=20&ageMin=30");
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { field: "ageMin" } });
  });

  it.each([
    "/api/conversations",
    "/api/messages/area",
    "/api/messages/between/{me}/{other}",
    "/api/messages/most-recent-with/{other}",
    "/api/messages/by-sector/12:8",
  ])("with a page number is rejected for messages: %s", async (path) => {
    const [me, other] = [await createMember(worker), await createMember(worker)];
    const actualPath = path.replace("{me}", String(me.id)).replace("{other}", String(other.id));
    const response = await me.fetch(`${actualPath}?page=1`);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { field: "page" } });
    expect((await me.fetch(`${actualPath}?page=0`)).status).not.toBe(400);
  });
});

describe("every response", () => {
  it("has the security headers", async () => {
    for (const path of ["/", "/api/ping", "/api/nothing-here", "/manifest.webmanifest"]) {
      const { headers } = await createVisitor(worker).fetch(path);
      expect(headers.get("content-security-policy"), path).toContain("default-src 'none'");
      expect(headers.get("content-security-policy"), path).not.toContain("unsafe-inline");
      expect(headers.get("x-content-type-options"), path).toBe("nosniff");
      expect(headers.get("referrer-policy"), path).toBe("no-referrer");
      expect(headers.get("x-frame-options"), path).toBe("DENY");
    }
  });

  it("about members is not cached", async () => {
    const member = await createMember(worker);
    const { headers } = await member.fetch("/api/profiles/mine");
    expect(headers.get("cache-control")).toBe("private, no-store");
  });
});

describe("an unknown host", () => {
  it("gets 421 without any brand's name, on every path", async () => {
    for (const path of ["/", "/api/ping", "/login"]) {
      const response = await worker.fetch(`http://unknown.test${path}`);
      expect(response.status).toBe(421);
      expect(await response.text()).not.toMatch(/ember|harbor|bramble/i);
    }
  });
});

describe("well-known addresses", () => {
  it("say, for each brand, where to report a vulnerability", async () => {
    for (const brand of BRANDS) {
      const response = await worker.fetch(`http://${brand.id}.localhost/.well-known/security.txt`);
      expect(response.headers.get("content-type")).toBe("text/plain; charset=utf-8");
      const text = await response.text();
      expect(text).toContain(`Contact: mailto:${brand.operatorAddress}\n`);
      const expires = Date.parse(/^Expires: (.+)$/m.exec(text)?.[1] ?? "");
      expect(expires).toBeGreaterThan(Date.now() + 30 * DAY_MS);
      expect(expires).toBeLessThan(Date.now() + 365 * DAY_MS);
    }
  });

  it("lead to the page that changes a password", async () => {
    const response = await createVisitor(worker).fetch("/.well-known/change-password");
    expect([response.status, response.headers.get("location")]).toEqual([303, "/settings"]);
  });
});

describe("the document", () => {
  it("has a status that says whether the page exists", async () => {
    const status = async (path: string) => (await createVisitor(worker).fetch(path)).status;
    for (const path of ["/", "/login", "/games/", "/profile", "/profile/17", "/search/tile?ageMin=20"]) {
      expect(await status(path), path).toBe(200);
    }
    for (const path of ["/nowhere", "/profile/17/more", "/Games", "/search", "/wp-login.php"]) {
      const response = await createVisitor(worker).fetch(path);
      expect(response.status, path).toBe(404);
      expect(response.headers.get("content-type"), path).toContain("text/html");
    }
  });

  it.each(["ember", "harbor", "bramble"] as const)("has the brand of its host: %s", async (brand) => {
    const response = await createVisitor(worker, brand).fetch("/");
    expect(response.headers.get("content-type")).toContain("text/html");
    const manifest = await createVisitor(worker, brand).fetch("/manifest.webmanifest");
    expect(((await manifest.json()) as { name: string }).name.toLowerCase()).toBe(brand);
  });
});
