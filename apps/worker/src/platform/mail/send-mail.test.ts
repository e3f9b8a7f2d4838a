import { getBrand } from "@lambda/brands";
import { WORK_PRICES } from "@lambda/contract/cost";
import {
  DAY_MS,
  MAILS_OTHER_PER_DAY_MAX,
  MAILS_PER_DAY_MAX,
  MINUTE_MS,
  WORK_PER_DAY_MAX,
} from "@lambda/contract/limits";
import { limiterOf } from "@lambda/testing/rate-limits";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { batch } from "../db/database.ts";
import type { Env } from "../env.ts";
import { isWithinLimit } from "../rate-limits/limit.ts";
import { chargeMember } from "../rate-limits/usage.ts";
import { type Mail, prepareMail, sendMail, sendWaitingMails } from "./send-mail.ts";

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
const send = (usefulMs?: number) =>
  sendMail(env, getBrand("ember"), MAIL, { kind: "login", by: null, ...(usefulMs && { usefulMs }) });
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
    await sendMail(
      env,
      getBrand("ember"),
      { ...MAIL, to, replyTo: "ana@münchen.example" },
      { kind: "statement", by: null },
    );
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

it("sends one mail a day about acts of a kind, one more for all others when the day is over, and charges each to who caused it", async () => {
  refusal = undefined;
  const change = (kind: "passwordChanged" | "passkeyAdded", to = MAIL.to) =>
    sendMail(env, getBrand("ember"), { ...MAIL, to }, { kind, by: 77 });
  for (let acts = 0; acts < 6; acts += 1) await change("passwordChanged");
  await change("passkeyAdded");
  // An address that was in use before warns its owner too.
  await change("passwordChanged", "fir@street.example");
  expect(sent).toEqual([MAIL.to, MAIL.to, "fir@street.example"]);
  expect(await chargeMember(env, 77, WORK_PER_DAY_MAX - 5 * WORK_PRICES.mail)).toBe(true);
  expect(await chargeMember(env, 77, WORK_PRICES.mail)).toBe(false);
  await sendWaitingMails(env, Date.now() + DAY_MS - MINUTE_MS);
  expect(sent).toHaveLength(3);
  await sendWaitingMails(env, Date.now() + DAY_MS);
  expect(sent).toHaveLength(4);
});

it("lets letters use up half of what the site sends a day, and nothing what logs somebody in or confirms a notice", async () => {
  refusal = undefined;
  const fill = (amount: number) =>
    limiterOf(worker, "mails").spend([{ name: "mails", amount, max: MAILS_PER_DAY_MAX, windowMs: DAY_MS }]);
  const kinds = ["letter", "noticeReceipt", "statement", "login"] as const;
  const sendAll = async () => {
    sent = [];
    for (const kind of kinds)
      await sendMail(env, getBrand("ember"), { ...MAIL, to: `${kind}@street.example` }, { kind, by: null });
    return sent.map((to) => to.split("@")[0]);
  };
  await limiterOf(worker, "mails").clear();
  expect(await sendAll()).toEqual(kinds);
  await fill(MAILS_OTHER_PER_DAY_MAX - 2);
  expect(await sendAll()).toEqual(["noticeReceipt", "statement", "login"]);
  await fill(MAILS_PER_DAY_MAX - MAILS_OTHER_PER_DAY_MAX - 1);
  expect(await sendAll()).toEqual(["noticeReceipt", "login"]);
  // What waited is counted too, before it goes.
  await sendWaitingMails(env, Date.now() + DAY_MS);
  expect(sent).toHaveLength(2);
  await limiterOf(worker, "mails").clear();
  await sendWaitingMails(env, Date.now() + 2 * DAY_MS);
  expect(sent).toHaveLength(5);
});

it("sends a prepared mail at once, or a minute later if nobody did", async () => {
  refusal = undefined;
  const prepare = async (to: string) => {
    const mail = prepareMail(env, getBrand("ember"), { ...MAIL, to }, "statement");
    await batch(env.DB, mail.queries);
    return mail;
  };
  const mail = await prepare("now@street.example");
  await Promise.all([mail.deliver(), mail.deliver()]);
  expect([sent, await waiting()]).toEqual([["now@street.example"], []]);
  const lost = await prepare("later@street.example");
  await sendWaitingMails(env, Date.now());
  expect(sent).toHaveLength(1);
  await sendWaitingMails(env, Date.now() + MINUTE_MS + 1000);
  await lost.deliver();
  expect([sent.slice(1), await waiting()]).toEqual([["later@street.example"], []]);
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
