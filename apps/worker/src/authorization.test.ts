import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { createMember, type TestMember } from "@lambda/testing/member";
import { createVisitor, type TestVisitor } from "@lambda/testing/visitor";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { beforeAll, describe, expect, it } from "vitest";
import { newToken } from "./accounts/sessions/tokens.ts";
import { BYTE_ROUTES } from "./byte-routes.ts";
import type { Access } from "./platform/access.ts";
import { listRestRoutes, type RestRoute } from "./platform/rest/adapter.ts";
import { honoPath } from "./platform/rest/byte-routes.ts";
import { appRouter } from "./router.ts";

/**
 * Every route (REST, tRPC as the batch link sends it, and plain routes) against every kind of caller. The matrix is built from the
 * router, so that a new route cannot be forgotten; visibility/ids.test.ts tests which ids a caller may use.
 */
let worker: TestWorker;
let anonymous: TestVisitor;
let suspended: TestMember;
let banned: TestMember;
let member: TestMember;
let foreignAdmin: TestMember;
let locked: TestMember;

beforeAll(async () => {
  worker = await startWorker();
  anonymous = createVisitor(worker);
  suspended = await createMember(worker, { status: "suspended" });
  banned = await createMember(worker, { status: "banned" });
  member = await createMember(worker);
  // An admin of Harbor who calls Ember as an ordinary member.
  foreignAdmin = await createMember(worker, { adminBrand: "harbor", sharedOn: 7 });
  // An admin, so that only the app lock can stand in the way.
  locked = await createMember(worker, { adminBrand: "ember", freshProof: true });
  const unlocked = locked.withCookie(`__Host-unlocked=${newToken()}`);
  expect((await unlocked.send("PUT", "/api/session/lock", { on: true })).status).toBe(200);
  expect((await unlocked.fetch("/api/settings")).status).toBe(200);
});

const routes = listRestRoutes(appRouter);
const routesFor = (...access: string[]) =>
  routes
    .filter((route) => access.includes(route.access))
    .map((route) => [`${route.rest.method} ${route.rest.path}`, route] as const);

/** A call with plausible ids and an empty body: access is checked before the input. */
function call(caller: TestMember | TestVisitor, { rest }: RestRoute): Promise<Response> {
  const path = `/api${rest.path.replace("{lat}:{lon}", "33:-112").replace(/\{\w+\}/g, "1")}`;
  return rest.method === "GET" ? caller.fetch(path) : caller.send(rest.method, path, {});
}

describe("without a session", () => {
  it.each(routesFor("session", "member", "admin"))("%s answers 401", async (_, route) => {
    const response = await call(anonymous, route);
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({ error: { code: "NOT_LOGGED_IN" } });
  });
});

describe("a suspended or banned member", () => {
  it.each(routesFor("member", "admin"))("%s answers 403", async (_, route) => {
    for (const caller of [suspended, banned]) {
      const response = await call(caller, route);
      expect(response.status).toBe(403);
      expect(await response.json()).toMatchObject({ error: { code: "SUSPENDED" } });
    }
  });
});

describe("a member who is not an admin of this brand", () => {
  it.each(routesFor("admin"))("%s answers 403", async (_, route) => {
    for (const caller of [member, foreignAdmin]) {
      const response = await call(caller, route);
      expect(response.status).toBe(403);
      expect(await response.json()).toMatchObject({ error: { code: "NOT_ALLOWED" } });
    }
  });
});

describe("empty input", () => {
  it.each(routesFor("open", "visitor", "session", "member"))("%s never answers 5xx", async (_, route) => {
    // A new member each time: the call may log out or delete the caller.
    expect((await call(await createMember(worker), route)).status).toBeLessThan(500);
  });
});

describe("a state change", () => {
  const changing = routes
    .filter(({ rest }) => rest.method !== "GET")
    .map((route) => [`${route.rest.method} ${route.rest.path}`, route] as const);
  it.each(changing)("%s from a foreign origin answers 403", async (_, { rest }) => {
    const path = `/api${rest.path.replace(/\{\w+\}/g, "1")}`;
    const response = await member.fetch(path, {
      method: rest.method,
      headers: { origin: "https://elsewhere.example" },
    });
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({ error: { code: "FOREIGN_ORIGIN" } });
  });
});

const procedures = Object.entries(appRouter._def.procedures).map(([name, procedure]) => {
  const { type, meta } = (procedure as unknown as { _def: { type: string; meta: { access: Access } } })._def;
  return { name, type, access: meta.access };
});
const proceduresFor = (...access: Access[]) =>
  procedures.filter((each) => access.includes(each.access)).map((each) => [each.name, each.type] as const);

/** Sends one call as a batch, with an input that is never read. */
async function callInBatch(caller: TestMember | TestVisitor, name: string, type: string): Promise<[number, unknown]> {
  const response =
    type === "query"
      ? await caller.fetch(`/trpc/${name}?batch=1&input=${encodeURIComponent('{"0":{}}')}`)
      : await caller.send("POST", `/trpc/${name}?batch=1`, { 0: {} });
  const [first] = (await response.json()) as [{ error?: { data: { error: { code: string } } } }];
  return [response.status, first.error?.data.error.code];
}

/** All other procedures require an active member, or an admin: those of the admin routers and of `OTHER_ADMIN_PROCEDURES`. */
const BELOW_MEMBER: Partial<Record<Access, readonly string[]>> = {
  open: [
    "accounts.register",
    "accounts.logout",
    "accounts.session",
    "contact.send",
    "contact.reportProblem",
    "meta.ping",
    "meta.version",
    "transparency.summary",
    "transparency.chain",
    // Reporting illegal content requires no account.
    "notices.challenge",
    "notices.file",
    "notices.receipt",
    "notices.disown",
    "notices.answer",
    "transparency.notices",
    // A visitor proves their age before having an account.
    "age.status",
    "age.begin",
    "age.progress",
    "age.answer",
    // A friend has no account, and a plan must be answerable after its maker's session ended: tokens grant access.
    "meets.read",
    "meets.subscribe",
    "meets.status",
    "meets.addPosition",
    "meets.answer",
    // A second PIN must work after its session ended.
    "lockdown.unlocked",
  ],
  visitor: [
    "accounts.login",
    "accounts.loginByToken",
    "accounts.loginByDigits",
    "passkeys.loginRequest",
    "passkeys.logIn",
  ],
  // What a suspended member still needs: to leave, to appeal, to see why, and to secure the account.
  session: [
    "age.remove",
    "deletion.request",
    "export.link",
    "settings.setDiscreet",
    "reports.appeal",
    "moderation.ownRecord",
    "transparency.case",
    "notices.mine",
    "notices.counter",
    "notifications.list",
    "notifications.delete",
    "notifications.preferences",
    "notifications.updatePreferences",
    "proofs.methods",
    "proofs.byPassword",
    "proofs.mail",
    "proofs.byDigits",
    "proofs.passkeyRequest",
    "proofs.byPasskey",
    "passkeys.list",
    "passkeys.creation",
    "passkeys.add",
    "passkeys.rename",
    "passkeys.remove",
    "sessions.list",
    "sessions.disclosures",
    "sessions.end",
    "sessions.endAll",
    "sessions.setLock",
    "lockdown.prepare",
    "lockdown.setWords",
    "lockdown.list",
    "lockdown.removeSignal",
    "lockdown.removeWords",
    "settings.get",
    "settings.update",
    "settings.confirmEmail",
    "settings.setSharing",
  ],
};

/** Game items that votes could not decide. */
const OTHER_ADMIN_PROCEDURES = ["games.reviews", "games.decideReview"];

describe("the access level", () => {
  it.each(procedures.map(({ name, access }) => [name, access] as const))("of %s is as listed: %s", (name, access) => {
    const lower = Object.entries(BELOW_MEMBER).find(([, names]) => names.includes(name))?.[0];
    expect(access).toBe(
      lower ?? (/^(admin|noticeDesk)\./.test(name) || OTHER_ADMIN_PROCEDURES.includes(name) ? "admin" : "member"),
    );
  });
});

describe("through tRPC", () => {
  it.each(proceduresFor("session", "member", "admin"))("%s without a session answers 401", async (name, type) => {
    expect(await callInBatch(anonymous, name, type)).toEqual([401, "NOT_LOGGED_IN"]);
  });

  it.each(proceduresFor("member", "admin"))("%s as a suspended member answers 403", async (name, type) => {
    expect(await callInBatch(suspended, name, type)).toEqual([403, "SUSPENDED"]);
  });

  it.each(proceduresFor("admin"))("%s as a member who is not an admin here answers 403", async (name, type) => {
    for (const caller of [member, foreignAdmin]) {
      expect(await callInBatch(caller, name, type)).toEqual([403, "NOT_ALLOWED"]);
    }
  });

  it("rejects a state change from a foreign origin or by GET", async () => {
    const foreign = { method: "POST", headers: { origin: "https://elsewhere.example" }, body: "{}" };
    expect((await member.fetch("/trpc/sessions.endAll?batch=1", foreign)).status).toBe(403);
    expect((await member.fetch("/trpc/sessions.endAll?batch=1&input=%7B%7D")).status).toBe(405);
    expect((await member.fetch("/api/session")).status).toBe(200);
    expect((await member.get<{ loggedIn: boolean }>("/api/session")).loggedIn).toBe(true);
  });
});

/** Routes outside tRPC, with the status for callers without a session and suspended ones. A new one fails until it is listed here. */
const PLAIN_ROUTES: Record<string, [anonymous: number, suspended: number] | "open" | "development"> = {
  "GET /api/openapi.json": "open",
  "GET /manifest.webmanifest": "open",
  "GET /manifest/:file": "open",
  "GET /.well-known/security.txt": "open",
  "GET /.well-known/change-password": "open",
  "GET /notepad": "open",
  "GET /tiles/archives.json": "open",
  "GET /tiles/:file": "open",
  // Counts of members by district, and a drawing of streets.
  "GET /visitor-map.json": "open",
  "GET /visitor-map.svg": "open",
  "GET /status": "open",
  "ALL /trpc/*": "open",
  "ALL /api/*": "open",
  "GET *": "open",
  // The same document whether or not the link's plan exists.
  "GET /meet/:id": "open",
  "GET /dev/mail": "development",
  "GET /dev/spent.json": "development",
  "GET /dev/mail.json": "development",
  "POST /dev/sql": "development",
  "GET /dev/wallet": "development",
  "POST /dev/wallet": "development",
  // Called by wallets, which have no session: the state in the path identifies the age request.
  "POST /age/answer/:state": "open",
  "ALL /ws": [401, 403],
  "ALL /ws/area": [401, 403],
  "ALL /ws/map": [401, 403],
  "POST /api/profile-pic": [401, 403],
  "POST /api/message/:id/open": [401, 403],
  "POST /api/voice": [401, 403],
  "GET /api/voice/:id": [401, 403],
  "POST /api/profile-voice": [401, 403],
  "GET /api/profile-voice/:id": [401, 403],
  "GET /api/profile-pic/:id": [401, 403],
  "GET /api/profile-pic/nsfw/:id": [401, 403],
  "GET /api/profile/pic/:id": [401, 403],
  "GET /api/games/ratinggame/picture/:itemId": [401, 403],
  "GET /api/games/ratinggame/picture/nsfw/:itemId": [401, 403],
  "GET /api/games/identify/picture/:round": [401, 403],
  "GET /api/games/identify/picture/nsfw/:round": [401, 403],
  "GET /api/games/ishim/picture/:itemId/:index": [401, 403],
  "GET /api/admin/person-check/:profileId/:index": [401, 403],
  "GET /api/evidence/:id": [401, 403],
  "GET /api/notice-picture/:noticeId/:id": [401, 403],
  "GET /api/admin/hold/:holdRef/picture/:mac": [401, 403],
  // The member's own data, after a fresh proof.
  "POST /api/account/export": [401, 403],
  "GET /api/account/export/:ticket": [401, 403],
};

/** Files that define routes in code, rather than as data. */
const SOURCES = ["index.ts", "places/tiles/tiles.ts", "places/visitors/visitor-map.ts", "accounts/age/routes.ts"];

function plainRoutes(): string[] {
  const inCode = SOURCES.flatMap((file) => {
    const source = readFileSync(fileURLToPath(import.meta.resolve(`./${file}`)), "utf8");
    return [...source.matchAll(/^\s*\w+\.(get|post|put|delete|patch|all)\("([^"]+)"/gm)].map(
      ([, method, path]) => `${method?.toUpperCase()} ${path}`,
    );
  });
  return [...inCode, ...BYTE_ROUTES.map(({ method, path }) => `${method.toUpperCase()} /api${honoPath(path)}`)];
}

describe("plain routes", () => {
  it("are all listed, and mounted only by known files", () => {
    expect(plainRoutes().sort()).toEqual(Object.keys(PLAIN_ROUTES).sort());
    const index = readFileSync(fileURLToPath(import.meta.resolve("./index.ts")), "utf8");
    const mounted = [...index.matchAll(/app\.route\("[^"]*", (\w+)/g)].map(([, name]) => name);
    expect(mounted.sort()).toEqual(["ageRoutes", "mountByteRoutes", "mountRest", "tiles", "visitorMap"]);
  });

  const guarded = Object.entries(PLAIN_ROUTES).flatMap(([route, expected]) =>
    typeof expected === "string" ? [] : [[route, ...expected] as const],
  );
  it.each(guarded)("%s without a session answers %i, suspended %i", async (route, withoutSession, whenSuspended) => {
    const [name = "", path = ""] = route.split(" ");
    // A socket's path rejects everything but upgrades before it checks access.
    const init = name === "ALL" ? { headers: { upgrade: "websocket" } } : { method: name };
    const statusFor = async (caller: TestMember | TestVisitor) => {
      const response = await caller.fetch(path.replace(/:\w+/, "1"), init);
      await response.body?.cancel();
      return response.status;
    };
    expect(await statusFor(anonymous)).toBe(withoutSession);
    expect(await statusFor(suspended)).toBe(whenSuspended);
  });
});

/** Called by a device that is still locked: the report of a PIN, and the logout. Neither answers with anything about a member. */
const WORKS_LOCKED = ["accounts.logout", "lockdown.unlocked"];

describe("with the cookie of a locked session alone", () => {
  const restRoutes = routesFor("open", "visitor", "session", "member", "admin");
  it.each(restRoutes.filter(([, { name }]) => !WORKS_LOCKED.includes(name)))("%s answers LOCKED", async (_, route) => {
    for (const caller of [locked, locked.withCookie(`__Host-unlocked=${newToken()}`)]) {
      const response = await call(caller, route);
      expect(response.status).toBe(401);
      expect(await response.json()).toMatchObject({ error: { code: "LOCKED" } });
    }
  });

  it.each(procedures.filter(({ name }) => !WORKS_LOCKED.includes(name)).map(({ name, type }) => [name, type] as const))(
    "%s through tRPC answers LOCKED",
    async (name, type) => expect(await callInBatch(locked, name, type)).toEqual([401, "LOCKED"]),
  );

  it.each(Object.keys(PLAIN_ROUTES).filter((route) => typeof PLAIN_ROUTES[route] !== "string"))(
    "%s answers LOCKED",
    async (route) => {
      const [name = "", path = ""] = route.split(" ");
      const init = name === "ALL" ? { headers: { upgrade: "websocket" } } : { method: name };
      const response = await locked.fetch(path.replace(/:\w+/g, "1"), init);
      expect(response.status).toBe(401);
      expect(await response.json()).toMatchObject({ error: { code: "LOCKED" } });
    },
  );

  it("a logout works, and the report of a PIN gets the answer that it gets without a session", async () => {
    const body = { token: newToken() };
    const text = async (caller: TestMember | TestVisitor) => (await caller.send("POST", "/api/unlock", body)).text();
    expect(await text(locked)).toBe(await text(anonymous));
    const other = await createMember(worker);
    const unlocked = other.withCookie(`__Host-unlocked=${newToken()}`);
    await unlocked.send("PUT", "/api/session/lock", { on: true });
    expect((await other.send("POST", "/api/auth/logout")).status).toBe(204);
    expect((await unlocked.fetch("/api/settings")).status).toBe(401);
    expect(await (await unlocked.fetch("/api/session")).json()).toMatchObject({ loggedIn: false });
  });
});

describe("a typed address", () => {
  const readable = routes
    .filter(({ rest }) => rest.method === "GET")
    .map(({ rest }) => `/api${rest.path.replace("{lat}:{lon}", "33:-112").replace(/\{\w+\}/g, "1")}`);
  const queries = procedures.filter(({ type }) => type === "query").map(({ name }) => `/trpc/${name}?input=%7B%7D`);
  const bytes = BYTE_ROUTES.filter(({ method }) => method === "get").map(
    ({ path }) => `/api${path.replace(/\{\w+\}/g, "1")}`,
  );

  it.each([...readable, ...queries, ...bytes])("never shows %s as a page, a frame or a script", async (path) => {
    for (const headers of [
      { "sec-fetch-dest": "document", "sec-fetch-mode": "navigate" },
      { "sec-fetch-dest": "iframe", "sec-fetch-mode": "navigate" },
      { "sec-fetch-dest": "script", "sec-fetch-mode": "no-cors" },
      // A browser that does not say what for.
      { accept: "text/html,application/xhtml+xml,*/*;q=0.8" },
    ] as Record<string, string>[]) {
      const response = await member.fetch(path, { headers });
      expect([response.status, await response.text()]).toEqual([404, ""]);
    }
  });

  it("is answered to the page itself, and to programs", async () => {
    for (const headers of [{}, { "sec-fetch-dest": "empty", "sec-fetch-mode": "cors" }, { accept: "*/*" }] as Record<
      string,
      string
    >[])
      expect((await member.fetch("/api/settings", { headers })).status).toBe(200);
  });
});
