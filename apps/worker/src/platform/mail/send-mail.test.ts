import { getBrand } from "@lambda/brands";
import { MINUTE_MS } from "@lambda/contract/limits";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Env } from "../env.ts";
import { isWithinLimit } from "../rate-limits/limit.ts";
import { type Mail, sendMail, sendWaitingMails } from "./send-mail.ts";

const MAIL: Mail = {
  to: "elm@street.example",
  subject: "Your link",
  text: "https://secret-link",
  html: "<p>secret-link",
};

let worker: TestWorker;
let sent: string[];
let answeredTo: string | undefined;
let refusal: Error | undefined;
let env: Env;
let logged: string[];
beforeEach(async () => {
  vi.stubGlobal("__DEVELOPMENT__", false);
  worker = await startWorker();
  sent = [];
  logged = [];
  const send = async ({ to, replyTo }: Mail) => {
    if (refusal) throw refusal;
    sent.push(to);
    answeredTo = replyTo;
  };
  env = Object.assign(Object.create(worker.env), { MAIL: { send }, SITE_KEY: "key" }) as Env;
  for (const level of ["error", "log"] as const)
    vi.spyOn(console, level).mockImplementation((line) => logged.push(line));
});
afterEach(() => {
  vi.unstubAllGlobals();
  // These tests expect console output.
  for (const level of ["error", "log"] as const) vi.mocked(console[level]).mockReset();
});

const refusalWith = (code: string) => Object.assign(new Error(`${code}: elm@street.example`), { code });
const send = (usefulMs?: number) => sendMail(env, getBrand("ember"), MAIL, usefulMs);
const waiting = async () => (await worker.run({ query: "select * from mail_queue" }))[0]!;

it("logs a temporarily refused mail without its address, stores it encrypted and sends it once", async () => {
  refusal = refusalWith("E_DAILY_LIMIT_EXCEEDED");
  await send();
  expect(sent).toEqual([]);
  expect((await waiting()).length).toBe(1);
  expect(JSON.stringify(await waiting())).not.toMatch(/elm|secret/);
  expect(JSON.parse(logged[0]!)).toMatchObject({
    level: "error",
    event: "mail-waits",
    code: "E_DAILY_LIMIT_EXCEEDED",
  });
  expect(logged.join()).not.toMatch(/elm|secret/);

  await sendWaitingMails(env, Date.now() + 2 * MINUTE_MS);
  expect(await waiting()).toMatchObject([{ attempts: 2 }]);
  refusal = undefined;
  const later = Date.now() + 60 * MINUTE_MS;
  await Promise.all([sendWaitingMails(env, later), sendWaitingMails(env, later)]);
  expect(sent).toEqual([MAIL.to]);
  expect(await waiting()).toEqual([]);
});

it("addresses a domain in the letters of the DNS, and leaves the name before it as it is", async () => {
  refusal = undefined;
  for (const to of ["josé@münchen.example", "Elm@street.example"])
    await sendMail(env, getBrand("ember"), { ...MAIL, to, replyTo: "ana@münchen.example" });
  expect(sent).toEqual(["josé@xn--mnchen-3ya.example", "Elm@street.example"]);
  expect(answeredTo).toBe("ana@xn--mnchen-3ya.example");
});

it("does not send an expired mail, nor one that its mailbox rejected", async () => {
  refusal = refusalWith("E_INTERNAL_SERVER_ERROR");
  await send(10 * MINUTE_MS);
  refusal = refusalWith("E_RECIPIENT_SUPPRESSED");
  await send();
  expect((await waiting()).length).toBe(1);
  refusal = undefined;
  await sendWaitingMails(env, Date.now() + 11 * MINUTE_MS);
  expect([...(await waiting()), ...sent]).toEqual([]);
});

it("retries a rate limiter that a deployment has just reset", async () => {
  let calls = 0;
  const hit = async () => {
    calls += 1;
    if (calls === 1) throw new Error("Durable Object reset because its code was updated.");
    return 0;
  };
  expect(await isWithinLimit({ RATE_LIMITER: { getByName: () => ({ hit }) } } as unknown as Env, "a", 1, 1)).toBe(true);
});
