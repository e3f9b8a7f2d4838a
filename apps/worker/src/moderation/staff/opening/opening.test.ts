import { OpeningStep } from "@lambda/contract/opening";
import { workerWith } from "@lambda/testing/harness";
import { createMember, type TestMember } from "@lambda/testing/member";
import { uploadPicture } from "@lambda/testing/pictures";
import { listProcedures } from "@lambda/testing/procedures";
import { createVisitor, listMails, type TestVisitor, waitForMail } from "@lambda/testing/visitor";
import { startSeparateWorker, type TestWorker } from "@lambda/testing/worker";
import { afterEach, beforeEach, expect, it } from "vitest";
import { BYTE_ROUTES } from "../../../byte-routes.ts";
import { listRestRoutes } from "../../../platform/rest/adapter.ts";
import { honoPath } from "../../../platform/rest/byte-routes.ts";
import { appRouter } from "../../../router.ts";

const OPERATOR = "operator@example.test";
const REGISTRATION = { acknowledgements: "cookies; adult; geolocation" };

let worker: TestWorker;
beforeEach(async () => {
  worker = await startSeparateWorker([{ ...workerWith(0), vars: { ALERT_ADDRESS: OPERATOR } }]);
});
afterEach(() => worker.close());

/** Asks as a site does that has the checklist; development sites are open without it. */
function unopened<Caller extends TestVisitor>(caller: Caller): Caller {
  const fetch: Caller["fetch"] = (path, init = {}) =>
    caller.fetch(path, { ...init, headers: { ...init.headers, "x-development-opening": "checklist" } });
  const send: Caller["send"] = (method, path, body) =>
    fetch(path, { method, headers: { "content-type": "application/json" }, body: JSON.stringify(body ?? {}) });
  return { ...caller, fetch, send };
}

async function codeOf(response: Response): Promise<unknown> {
  const body = (await response.json()) as { error?: { code?: string; data?: { error: { code: string } } } };
  return body.error?.data?.error.code ?? body.error?.code;
}

/** What answers visitors before a brand opens: none of it shows anything about members. */
const FOR_VISITORS = [
  "accounts.login",
  "accounts.loginByDigits",
  "accounts.loginByToken",
  "accounts.logout",
  "accounts.register",
  "accounts.session",
  "age.answer",
  "age.begin",
  "age.progress",
  "age.status",
  "lockdown.unlocked",
  "meets.addPosition",
  "meets.answer",
  "meets.read",
  "meets.status",
  "meets.subscribe",
  "meta.ping",
  "meta.version",
  "notices.challenge",
  "passkeys.logIn",
  "passkeys.loginRequest",
];

it("shows visitors and sister sites' members nothing of a brand that has not opened", async () => {
  const sister = unopened(await (await createMember(worker, { brand: "harbor", sharedOn: 7 })).onBrand("ember"));
  const picture = await uploadPicture(await createMember(worker, { name: "Team" }));
  const visitor = unopened(createVisitor(worker));

  for (const path of [
    "/",
    "/search/map",
    "/tos",
    "/legalnotice",
    "/transparency",
    "/notice",
    "/tiles/world/0/0/0",
    "/api/openapi.json",
    "/api/%6fpenapi.json",
    "/login/../tos",
    "/status/%2e%2e/tos",
  ]) {
    const page = await visitor.fetch(path);
    expect([path, page.status]).toEqual([path, 403]);
    expect(await page.text()).toMatch(/Ember is not open yet[\s\S]*volunteers@ember.example/);
  }
  const spanish = await visitor.fetch("/", { headers: { "accept-language": "es-MX" } });
  expect(await spanish.text()).toContain("todavía no está abierto");
  for (const path of ["/login", "/register", "/status", "/sw.js", "/api/ping", "/api/version"])
    expect([path, (await visitor.fetch(path)).status]).toEqual([path, 200]);

  const open = listProcedures(appRouter).filter(({ meta }) => ["open", "visitor"].includes(meta.access ?? ""));
  const refused = open.filter(({ name }) => !FOR_VISITORS.includes(name));
  expect(open.length - refused.length).toBe(FOR_VISITORS.length);
  for (const { name, type } of refused) {
    const answer = await (type === "query"
      ? visitor.fetch(`/trpc/${name}?input={}`)
      : visitor.send("POST", `/trpc/${name}`));
    expect([name, await codeOf(answer)]).toEqual([name, "NOT_OPEN"]);
  }
  for (const { rest, access, name } of listRestRoutes(appRouter)) {
    if (FOR_VISITORS.includes(name)) continue;
    const path = `/api${rest.path.replace("{lat}:{lon}", "33:-112").replace(/\{\w+\}/g, "1")}`;
    const call = (caller: TestVisitor) => (rest.method === "GET" ? caller.fetch(path) : caller.send(rest.method, path));
    const isForMembers = !["open", "visitor"].includes(access);
    expect([path, await codeOf(await call(visitor))]).toEqual([path, isForMembers ? "NOT_LOGGED_IN" : "NOT_OPEN"]);
    expect([path, await codeOf(await call(sister))]).toEqual([path, "NOT_OPEN"]);
  }
  for (const { method, path } of BYTE_ROUTES) {
    const url = `/api${honoPath(path).replace(/:\w+(\{[^}]*\})?/g, "1")}`;
    expect([url, await codeOf(await (method === "get" ? sister.fetch(url) : sister.send("POST", url)))]).toEqual([
      url,
      "NOT_OPEN",
    ]);
  }
  expect(await codeOf(await sister.fetch(`/api/profile-pic/${picture.id}`))).toBe("NOT_OPEN");
  for (const path of ["/ws", "/ws/map", "/ws/area"]) {
    const upgrade = await sister.fetch(path, { headers: { upgrade: "websocket" } });
    expect([path, upgrade.status, upgrade.webSocket ?? null]).toEqual([path, 403, null]);
  }
});

it("lets only the operator and the invited register, and tells nobody who they are", { tags: "slow" }, async () => {
  const visitor = unopened(createVisitor(worker));
  const register = async (email: string) => {
    const answer = await visitor.send("POST", "/api/auth/register", { ...REGISTRATION, email });
    return [answer.status, await answer.text()];
  };
  const stranger = await register("stranger@example.test");
  expect(stranger[0]).toBe(403);
  expect(stranger[1]).toContain('"NOT_OPEN"');
  expect(await register(OPERATOR)).toEqual(stranger);
  const { text } = await waitForMail(worker, OPERATOR);
  const token = /token=([\w-]+)/.exec(text)?.[1];
  const session = await visitor.send("POST", "/api/auth/token", { token, confirmed: true });
  expect(session.status).toBe(200);
  const cookie = /plain_session=[^;]+/.exec(session.headers.get("set-cookie") ?? "")?.[0] ?? "";
  const operator = (path: string, init: RequestInit = {}) =>
    visitor.fetch(path, { ...init, headers: { ...init.headers, cookie } });
  expect((await operator("/api/settings")).status).toBe(200);
  expect(await codeOf(await operator("/api/admin/opening"))).toBe("NOT_ALLOWED");

  const admin = unopened(await createMember(worker, { adminBrand: "ember" }));
  expect((await admin.send("POST", "/api/admin/opening/invitation", { email: "Second+team@gmail.com" })).status).toBe(
    200,
  );
  expect(await register("second@gmail.com")).toEqual(stranger);
  expect((await waitForMail(worker, "second@gmail.com")).text).toMatch(/token=/);
  expect(await listMails(worker, "stranger@example.test")).toEqual([]);
});

it("does not open without the contacts that the law asks for, and names each", { tags: "slow" }, async () => {
  const admin = unopened(await createMember(worker, { adminBrand: "ember" }));
  for (const step of OpeningStep.options) await admin.send("PUT", `/api/admin/opening/${step}`, { done: true });
  const refused = await admin.send("POST", "/api/admin/opening");
  expect([refused.status, await refused.json()]).toEqual([
    409,
    {
      error: expect.objectContaining({
        code: "CONFLICT",
        field: "contact.post",
        message: expect.stringContaining("contact.post, contact.authorities, contact.representative"),
      }),
    },
  ]);
  expect((await unopened(createVisitor(worker)).fetch("/")).status).toBe(403);
});

it("opens once everything is ticked, for good, and the log has who ticked what", async () => {
  const admin = unopened(await createMember(worker, { brand: "bramble", adminBrand: "bramble", realName: "Ana" }));
  const foreign = unopened(await createMember(worker, { brand: "harbor", adminBrand: "harbor" }));
  const visitor = unopened(createVisitor(worker, "bramble"));
  const state = async (caller: TestMember | TestVisitor) =>
    (await caller.fetch("/api/admin/opening")).json<{
      open: boolean;
      steps: { step: string; tsDone: string | null; by: string | null }[];
    }>();
  expect((await admin.send("PUT", "/api/admin/opening/mail", { done: true })).status).toBe(200);
  expect(await codeOf(await admin.send("PUT", "/api/admin/opening/everything", { done: true }))).toBe("BAD_INPUT");
  const early = await admin.send("POST", "/api/admin/opening");
  expect([early.status, await early.text()]).toEqual([409, expect.stringContaining("Not ticked yet: keys, contact")]);
  for (const step of OpeningStep.options)
    expect([step, (await admin.send("PUT", `/api/admin/opening/${step}`, { done: true })).status]).toEqual([step, 200]);
  expect((await state(admin)).steps.map(({ step, by }) => [step, by])).toEqual(
    OpeningStep.options.map((step) => [step, "Ana"]),
  );
  expect((await admin.send("PUT", "/api/admin/opening/keys", { done: false })).status).toBe(200);
  expect((await admin.send("POST", "/api/admin/opening")).status).toBe(409);
  await admin.send("PUT", "/api/admin/opening/keys", { done: true });
  expect((await visitor.fetch("/")).status).toBe(403);

  expect((await admin.send("POST", "/api/admin/opening")).status).toBe(200);
  expect((await visitor.fetch("/")).status).toBe(200);
  expect(
    (await visitor.send("POST", "/api/auth/register", { ...REGISTRATION, email: "new@example.test" })).status,
  ).toBe(202);
  expect((await state(admin)).open).toBe(true);
  expect(await codeOf(await admin.send("PUT", "/api/admin/opening/keys", { done: false }))).toBe("CONFLICT");
  // The sister site has its own list.
  expect(await state(foreign)).toMatchObject({ open: false });
  expect((await unopened(createVisitor(worker, "harbor")).fetch("/")).status).toBe(403);
  const actions = async (table: string) =>
    (await worker.env.DB.prepare(`select action from ${table} order by seq`).all<{ action: string }>()).results.map(
      ({ action }) => action,
    );
  expect(await actions("public_entry")).toEqual(["site.opened"]);
  expect(await actions("audit_entry")).toEqual([
    // Ticked again, the first is the same.
    ...OpeningStep.options.map(() => "opening.ticked"),
    "opening.unticked",
    "opening.ticked",
    "site.opened",
  ]);
});
