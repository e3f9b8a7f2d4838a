import { FRESH_PROOF_MS } from "@lambda/contract/limits";
import { createMember, type TestMember } from "@lambda/testing/member";
import { quickHash } from "@lambda/testing/password";
import { createVisitor, waitForMail } from "@lambda/testing/visitor";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { beforeAll, describe, expect, it } from "vitest";
import { isFresh, requireFresh } from "../../platform/fresh.ts";

const PASSWORD = "correct horse battery";

let worker: TestWorker;
let passwordHash: string;
beforeAll(async () => {
  worker = await startWorker();
  passwordHash = quickHash(PASSWORD);
});

const isProved = async (me: TestMember) => (await me.get<{ fresh: boolean }>("/api/settings")).fresh;
const codeOf = async (response: Response) => ((await response.json()) as { error: { code: string } }).error.code;

async function requestDigits(me: TestMember) {
  const mailResponse = await me.send("POST", "/api/proof/mail");
  expect(mailResponse.status).toBe(202);
  const { ticket } = (await mailResponse.json()) as { ticket: string };
  const { text } = await waitForMail(worker, me.email);
  return { ticket, digits: /^\d{6}$/m.exec(text)?.[0] ?? "" };
}

describe("a session", () => {
  it("is fresh after a password login, and can be proved again later without a new login", async () => {
    const me = await createMember(worker, { passwordHash });
    const login = await createVisitor(worker).send("POST", "/api/auth", { username: me.email, password: PASSWORD });
    const cookie = /plain_session=[^;]+/.exec(login.headers.get("set-cookie") ?? "")?.[0] ?? "";
    const settings = await worker.fetch("http://ember.localhost/api/settings", { headers: { cookie } });
    expect(await settings.json()).toMatchObject({ fresh: true });

    expect(await isProved(me)).toBe(false);
    expect(await me.get("/api/proof")).toMatchObject({ email: me.email, password: true });
    const wrong = await me.send("POST", "/api/proof/password", { currentPassword: "a guess" });
    expect([wrong.status, await codeOf(wrong), await isProved(me)]).toEqual([403, "CONFIRMATION_NEEDED", false]);
    expect((await me.send("POST", "/api/proof/password", { currentPassword: PASSWORD })).status).toBe(200);
    expect(await isProved(me)).toBe(true);
    expect((await me.send("POST", "/api/account/deletion", {})).status).toBe(200);
  });

  it("stops being fresh when the time is over", () => {
    const viewer = { provedAt: 1000 };
    expect(isFresh(viewer, 1000 + FRESH_PROOF_MS - 1)).toBe(true);
    expect(isFresh(viewer, 1000 + FRESH_PROOF_MS)).toBe(false);
    expect(() => requireFresh(viewer, 1000 + FRESH_PROOF_MS)).toThrow("current password");
  });
});

describe("mailed digits", () => {
  it("prove the requesting session once, and start no other", async () => {
    const me = await createMember(worker);
    const { ticket, digits } = await requestDigits(me);
    const response = await me.send("POST", "/api/proof/digits", { ticket, digits });
    expect(response.status).toBe(200);
    expect(response.headers.get("set-cookie") ?? "").not.toContain("plain_session");
    expect(await isProved(me)).toBe(true);
    await worker.env.DB.prepare("update session set ts_proved = 0 where account_id = ?").bind(me.id).run();
    expect(await codeOf(await me.send("POST", "/api/proof/digits", { ticket, digits }))).toBe("CODE_WRONG");
    expect(await isProved(me)).toBe(false);
  });

  it("are rejected in another member's session", async () => {
    const [me, other] = await Promise.all([createMember(worker), createMember(worker)]);
    const { ticket, digits } = await requestDigits(other);
    expect(await codeOf(await me.send("POST", "/api/proof/digits", { ticket, digits }))).toBe("CODE_WRONG");
    expect(await isProved(me)).toBe(false);
    expect((await other.send("POST", "/api/proof/digits", { ticket, digits })).status).toBe(200);
  });

  it("allow five guesses", async () => {
    const me = await createMember(worker);
    const { ticket, digits } = await requestDigits(me);
    const wrong = digits === "000000" ? "000001" : "000000";
    for (let tries = 0; tries < 5; tries += 1) await me.send("POST", "/api/proof/digits", { ticket, digits: wrong });
    expect(await codeOf(await me.send("POST", "/api/proof/digits", { ticket, digits }))).toBe("CODE_WRONG");
    expect(await isProved(me)).toBe(false);
  });
});

it("counts password guesses together, wherever they are made", async () => {
  const me = await createMember(worker, { passwordHash });
  for (let guess = 0; guess < 5; guess += 1) {
    await me.send("POST", "/api/proof/password", { currentPassword: `guess ${guess}` });
    await me.send("POST", "/api/account/deletion", { currentPassword: `guess ${guess}` });
  }
  expect((await me.send("POST", "/api/proof/password", { currentPassword: PASSWORD })).status).toBe(429);
});
