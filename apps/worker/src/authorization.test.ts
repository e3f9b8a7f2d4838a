import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { as, type TestMember } from "@lambda/testing/member";
import { asVisitor, type TestVisitor } from "@lambda/testing/visitor";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { beforeAll, describe, expect, it } from "vitest";
import { BYTE_ROUTES } from "./byte-routes.ts";
import type { Access } from "./platform/access.ts";
import { listRestRoutes, type RestRoute } from "./platform/rest/adapter.ts";
import { honoPath } from "./platform/rest/path.ts";
import { appRouter } from "./router.ts";

/**
 * The matrix of every route (REST, tRPC as the batch link sends it, and the plain ones) and every kind of caller, made from the
 * router: a new route is in it without anybody thinking of it. What a caller may do with which ids: members/visibility/ids.test.ts.
 */
let worker: TestWorker;
let anonymous: TestVisitor;
let suspended: TestMember;
let banned: TestMember;
let member: TestMember;
let foreignAdmin: TestMember;

beforeAll(async () => {
  worker = await startWorker();
  anonymous = asVisitor(worker);
  suspended = await as(worker, { status: "suspended" });
  banned = await as(worker, { status: "banned" });
  member = await as(worker);
  // Administers Harbor, and asks on Ember, as an ordinary member.
  foreignAdmin = await as(worker, { adminBrand: "harbor", sharedOn: 7 });
});

const routes = listRestRoutes(appRouter);
const of = (...access: string[]) =>
  routes
    .filter((route) => access.includes(route.access))
    .map((route) => [`${route.rest.method} ${route.rest.path}`, route] as const);

/** A call with plausible ids and an empty body: the access level answers before the input is looked at. */
function call(caller: TestMember | TestVisitor, { rest }: RestRoute): Promise<Response> {
  const path = `/api${rest.path.replace("{lat}:{lon}", "33:-112").replace(/\{\w+\}/g, "1")}`;
  return rest.method === "GET" ? caller.fetch(path) : caller.send(rest.method, path, {});
}

describe("without a session", () => {
  it.each(of("session", "member", "admin"))("%s answers 401", async (_, route) => {
    const answer = await call(anonymous, route);
    expect(answer.status).toBe(401);
    expect(await answer.json()).toMatchObject({ error: { code: "NOT_LOGGED_IN" } });
  });
});

describe("a suspended or banned member", () => {
  it.each(of("member", "admin"))("%s answers 403", async (_, route) => {
    for (const caller of [suspended, banned]) {
      const answer = await call(caller, route);
      expect(answer.status).toBe(403);
      expect(await answer.json()).toMatchObject({ error: { code: "SUSPENDED" } });
    }
  });
});

describe("a member who is no admin of this brand", () => {
  it.each(of("admin"))("%s answers 403", async (_, route) => {
    for (const caller of [member, foreignAdmin]) {
      const answer = await call(caller, route);
      expect(answer.status).toBe(403);
      expect(await answer.json()).toMatchObject({ error: { code: "NOT_ALLOWED" } });
    }
  });
});

describe("empty input", () => {
  it.each(of("open", "visitor", "session", "member"))("%s never answers 5xx", async (_, route) => {
    // A member of its own: the call may log out or delete whoever asks.
    expect((await call(await as(worker), route)).status).toBeLessThan(500);
  });
});

describe("a state change", () => {
  const changing = routes
    .filter(({ rest }) => rest.method !== "GET")
    .map((route) => [`${route.rest.method} ${route.rest.path}`, route] as const);
  it.each(changing)("%s from a foreign origin answers 403", async (_, { rest }) => {
    const path = `/api${rest.path.replace(/\{\w+\}/g, "1")}`;
    const answer = await member.fetch(path, { method: rest.method, headers: { origin: "https://elsewhere.example" } });
    expect(answer.status).toBe(403);
    expect(await answer.json()).toMatchObject({ error: { code: "FOREIGN_ORIGIN" } });
  });
});

const procedures = Object.entries(appRouter._def.procedures).map(([name, procedure]) => {
  const { type, meta } = (procedure as unknown as { _def: { type: string; meta: { access: Access } } })._def;
  return { name, type, access: meta.access };
});
const procedure = (...access: Access[]) =>
  procedures.filter((each) => access.includes(each.access)).map((each) => [each.name, each.type] as const);

/** One call of a batch, with an input that never gets read. */
async function batched(caller: TestMember | TestVisitor, name: string, type: string): Promise<[number, unknown]> {
  const answer =
    type === "query"
      ? await caller.fetch(`/trpc/${name}?batch=1&input=${encodeURIComponent('{"0":{}}')}`)
      : await caller.send("POST", `/trpc/${name}?batch=1`, { 0: {} });
  const [first] = (await answer.json()) as [{ error?: { data: { error: { code: string } } } }];
  return [answer.status, first.error?.data.error.code];
}

/** Every other procedure is for active members, those of the admin routers and of `ADMIN_ELSEWHERE` for admins of the brand. */
const LESS_THAN_MEMBER: Partial<Record<Access, readonly string[]>> = {
  open: [
    ...["accounts.register", "accounts.logout", "accounts.session", "contact.send", "contact.reportProblem"],
    ...["meta.ping", "meta.version", "transparency.summary", "transparency.chain", "transparency.report"],
    // Whoever sees something illegal needs no account to say so.
    ...["notices.challenge", "notices.file", "notices.receipt", "notices.answer", "transparency.notices"],
    // A visitor proves their age before there is an account.
    ...["age.status", "age.begin", "age.progress", "age.answer"],
    // A friend has no account, and a plan must be answered when its maker's session has ended: tokens say who may.
    ...["meets.read", "meets.subscribe", "meets.status", "meets.addPosition", "meets.answer"],
    // A second PIN has to work when its session has ended already.
    "lockdown.unlocked",
  ],
  visitor: [
    "accounts.login",
    "accounts.loginByToken",
    "accounts.loginByDigits",
    "passkeys.loginRequest",
    "passkeys.logIn",
  ],
  // What a suspended member needs: to leave, to appeal, to see why, to keep others out of their account.
  session: [
    ...["age.remove", "deletion.request", "reports.appeal", "moderation.ownRecord", "transparency.case"],
    ...["notices.mine", "notices.counter"],
    ...["notifications.list", "notifications.delete", "notifications.preferences", "notifications.updatePreferences"],
    ...["proofs.ways", "proofs.byPassword", "proofs.mail", "proofs.byDigits"],
    ...["proofs.passkeyRequest", "proofs.byPasskey"],
    ...["passkeys.list", "passkeys.creation", "passkeys.add", "passkeys.rename", "passkeys.remove"],
    ...["sessions.list", "sessions.end", "sessions.endAll"],
    ...["lockdown.prepare", "lockdown.setWords"],
    ...["settings.get", "settings.update", "settings.confirmEmail", "settings.setSharing"],
  ],
};

/** Staff's part of the games: what votes could not decide. */
const ADMIN_ELSEWHERE = ["games.reviews", "games.decideReview"];

describe("access", () => {
  it.each(procedures.map(({ name, access }) => [name, access] as const))("to %s is as decided: %s", (name, access) => {
    const less = Object.entries(LESS_THAN_MEMBER).find(([, names]) => names.includes(name))?.[0];
    expect(access).toBe(
      less ?? (/^(admin|noticeDesk)\./.test(name) || ADMIN_ELSEWHERE.includes(name) ? "admin" : "member"),
    );
  });
});

describe("through tRPC", () => {
  it.each(procedure("session", "member", "admin"))("%s without a session answers 401", async (name, type) => {
    expect(await batched(anonymous, name, type)).toEqual([401, "NOT_LOGGED_IN"]);
  });

  it.each(procedure("member", "admin"))("%s of a suspended member answers 403", async (name, type) => {
    expect(await batched(suspended, name, type)).toEqual([403, "SUSPENDED"]);
  });

  it.each(procedure("admin"))("%s of a member who is no admin here answers 403", async (name, type) => {
    for (const caller of [member, foreignAdmin]) {
      expect(await batched(caller, name, type)).toEqual([403, "NOT_ALLOWED"]);
    }
  });

  it("a state change from a foreign origin, or by GET, does nothing", async () => {
    const foreign = { method: "POST", headers: { origin: "https://elsewhere.example" }, body: "{}" };
    expect((await member.fetch("/trpc/sessions.endAll?batch=1", foreign)).status).toBe(403);
    expect((await member.fetch("/trpc/sessions.endAll?batch=1&input=%7B%7D")).status).toBe(405);
    expect((await member.fetch("/api/session")).status).toBe(200);
    expect((await member.get<{ loggedIn: boolean }>("/api/session")).loggedIn).toBe(true);
  });
});

/** Routes that no procedure makes, and what those without a session and suspended ones get. A new one fails until it is here. */
const PLAIN_ROUTES: Record<string, [anonymous: number, suspended: number] | "open" | "development"> = {
  "GET /api/openapi.json": "open",
  "GET /manifest.webmanifest": "open",
  "GET /manifest/:file": "open",
  "GET /notepad": "open",
  "GET /tiles/archives.json": "open",
  "GET /tiles/:file": "open",
  "GET /status": "open",
  "ALL /trpc/*": "open",
  "ALL /api/*": "open",
  "GET *": "open",
  // One document for every link, of a plan or of none.
  "GET /meet/:id": "open",
  "GET /dev/mail": "development",
  "GET /dev/mail.json": "development",
  "POST /dev/sql": "development",
  "GET /dev/wallet": "development",
  "POST /dev/wallet": "development",
  // Of wallets, which have no session: the request that they name says whose proof it is.
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
  "GET /api/evidence/:id": [401, 403],
  "GET /api/notice-picture/:noticeId/:id": [401, 403],
  "GET /api/admin/hold/:holdRef/picture/:mac": [401, 403],
  // Of their own data, once the member proved who they are.
  "POST /api/account/export": [401, 403],
};

/** Files whose routes are no data. */
const SOURCES = ["index.ts", "places/tiles/tiles.ts", "members/age/routes.ts"];

function plainRoutes(): string[] {
  const written = SOURCES.flatMap((file) => {
    const source = readFileSync(fileURLToPath(import.meta.resolve(`./${file}`)), "utf8");
    return [...source.matchAll(/^\s*\w+\.(get|post|put|delete|patch|all)\("([^"]+)"/gm)].map(
      ([, method, path]) => `${method?.toUpperCase()} ${path}`,
    );
  });
  return [...written, ...BYTE_ROUTES.map(({ method, path }) => `${method.toUpperCase()} /api${honoPath(path)}`)];
}

describe("plain routes", () => {
  it("are all known, and mounted from files that are", () => {
    expect(plainRoutes().sort()).toEqual(Object.keys(PLAIN_ROUTES).sort());
    const index = readFileSync(fileURLToPath(import.meta.resolve("./index.ts")), "utf8");
    const mounted = [...index.matchAll(/app\.route\("[^"]*", (\w+)/g)].map(([, name]) => name);
    expect(mounted.sort()).toEqual(["ageRoutes", "mountByteRoutes", "mountRest", "tiles"]);
  });

  const guarded = Object.entries(PLAIN_ROUTES).flatMap(([route, expected]) =>
    typeof expected === "string" ? [] : [[route, ...expected] as const],
  );
  it.each(guarded)("%s without a session answers %i, suspended %i", async (route, withoutSession, whenSuspended) => {
    const [name = "", path = ""] = route.split(" ");
    // A socket's address takes upgrades alone, and says so to whatever else comes.
    const init = name === "ALL" ? { headers: { upgrade: "websocket" } } : { method: name };
    const ask = async (caller: TestMember | TestVisitor) => {
      const answer = await caller.fetch(path.replace(/:\w+/, "1"), init);
      await answer.body?.cancel();
      return answer.status;
    };
    expect(await ask(anonymous)).toBe(withoutSession);
    expect(await ask(suspended)).toBe(whenSuspended);
  });
});
