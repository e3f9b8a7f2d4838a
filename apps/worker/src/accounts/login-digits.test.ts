import {
  LOGIN_DIGITS_PER_MAILBOX_TOTAL_MAX,
  LOGIN_DIGITS_TRIES_MAX,
  LOGIN_LINKS_PER_MAILBOX_MAX,
} from "@lambda/contract/limits";
import { createMember } from "@lambda/testing/member";
import { createVisitor, type TestVisitor, waitForMail } from "@lambda/testing/visitor";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { beforeAll, describe, expect, it } from "vitest";
import { generateDigits, hashDigits } from "./login-digits.ts";
import { hashToken } from "./sessions/tokens.ts";

let worker: TestWorker;
beforeAll(async () => {
  worker = await startWorker();
});

const ACCEPTED = "cookies; adult; geolocation";
const UNKNOWN_TICKET = "A".repeat(43);

async function ticketFor(email: string, visitor = createVisitor(worker)): Promise<string> {
  const response = await visitor.send("POST", "/api/auth/register", { email, acknowledgements: ACCEPTED });
  expect(response.status).toBe(202);
  return ((await response.json()) as { ticket: string }).ticket;
}

async function requestMail(email: string) {
  const ticket = await ticketFor(email);
  const { text } = await waitForMail(worker, email);
  const digits = /^\d{6}$/m.exec(text)?.[0] ?? "";
  return { ticket, digits, wrong: digits === "000000" ? "000001" : "000000", text };
}

const enter = (ticket: string, digits: string, visitor: TestVisitor = createVisitor(worker)) =>
  visitor.send("POST", "/api/auth/digits", { ticket, digits });

const openLink = (text: string) =>
  createVisitor(worker).send("POST", "/api/auth/token", {
    token: /token=([\w-]+)/.exec(text)?.[1] ?? "",
    confirmed: true,
  });

/** Everything that a response reveals in production, except the time. */
async function visibleParts(response: Response) {
  const headers = Object.fromEntries(response.headers);
  for (const name of ["date", "x-now", "x-d1-rows-read", "x-d1-rows-written", "x-request-id"]) delete headers[name];
  return { status: response.status, headers, body: await response.text() };
}

describe("login digits", () => {
  it("log in with the ticket of the requesting page and create the account", async () => {
    const { ticket, digits, text } = await requestMail("digits@example.test");
    const response = await enter(ticket, `${digits.slice(0, 3)} ${digits.slice(3)} `);
    expect(response.status).toBe(200);
    expect(response.headers.get("set-cookie")).toContain("plain_session=");
    const made = await worker.env.DB.prepare(
      "select a.acknowledgements, s.ts_proved = s.ts_created as proved from account a join session s on s.account_id = a.id where a.email = ?",
    )
      .bind("digits@example.test")
      .all();
    expect(made.results).toEqual([{ acknowledgements: ACCEPTED, proved: 1 }]);
    expect((await enter(ticket, digits)).status).toBe(401);
    expect((await openLink(text)).status).toBe(401);
  });

  it("are used up when the link is opened", async () => {
    const { ticket, digits, text } = await requestMail("link-first@example.test");
    expect((await openLink(text)).status).toBe(200);
    expect((await enter(ticket, digits)).status).toBe(401);
  });

  it("log in only once, even for concurrent requests", async () => {
    const { ticket, digits } = await requestMail("race@example.test");
    const responses = await Promise.all(Array.from({ length: 4 }, () => enter(ticket, digits)));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401]);
  });

  it("are rejected without their own ticket", async () => {
    const one = await requestMail("one@example.test");
    const two = await requestMail("two@example.test");
    expect((await enter(UNKNOWN_TICKET, one.digits)).status).toBe(401);
    if (one.digits !== two.digits) expect((await enter(two.ticket, one.digits)).status).toBe(401);
    expect((await enter(one.ticket, one.digits)).status).toBe(200);
  });

  it("cannot be recovered from the database, and the mail does not contain the ticket", async () => {
    const { ticket, digits, text } = await requestMail("stored@example.test");
    const row = await worker.env.DB.prepare("select * from login_code where email = 'stored@example.test'").first();
    const plain = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(digits)));
    expect(row?.digits_hash).not.toEqual([...plain]);
    expect(JSON.stringify(row)).not.toContain(ticket);
    expect(JSON.stringify(row)).not.toContain(`"${digits}"`);
    expect(text).not.toContain(ticket);
  });

  it("stop working after five wrong tries, while the link still works", async () => {
    const { ticket, digits, wrong, text } = await requestMail("tries@example.test");
    for (let count = 0; count < LOGIN_DIGITS_TRIES_MAX; count += 1) {
      expect((await enter(ticket, wrong)).status).toBe(401);
    }
    expect((await enter(ticket, digits)).status).toBe(401);
    expect((await openLink(text)).status).toBe(200);
  });

  it("count every one of many concurrent tries", async () => {
    const { ticket, wrong } = await requestMail("flood@example.test");
    await Promise.all(Array.from({ length: 12 }, () => enter(ticket, wrong)));
    const row = await worker.env.DB.prepare(
      "select digits_tries from login_code where email = 'flood@example.test'",
    ).first();
    expect(row).toEqual({ digits_tries: LOGIN_DIGITS_TRIES_MAX });
  });

  it("expire with the link after ten minutes, and are rejected on another site", async () => {
    const { ticket, digits } = await requestMail("late@example.test");
    expect((await enter(ticket, digits, createVisitor(worker, "harbor"))).status).toBe(401);
    await worker.env.DB.prepare("update login_code set ts_expires = ? where email = 'late@example.test'")
      .bind(Date.now() - 1)
      .run();
    expect((await enter(ticket, digits)).status).toBe(401);
  });

  it("are refused identically for a member, a stranger and an unknown ticket", async () => {
    const { email } = await createMember(worker);
    const member = await requestMail(email);
    const stranger = await requestMail("stranger@example.test");
    const used = await requestMail("used@example.test");
    expect((await enter(used.ticket, used.digits)).status).toBe(200);
    const spent = await requestMail("spent@example.test");
    for (let count = 0; count < LOGIN_DIGITS_TRIES_MAX; count += 1) await enter(spent.ticket, spent.wrong);
    const unsent = "flooded@example.test";
    for (let count = 0; count < LOGIN_LINKS_PER_MAILBOX_MAX; count += 1) await ticketFor(unsent);
    const refusals = [
      await enter(member.ticket, member.wrong),
      await enter(stranger.ticket, stranger.wrong),
      await enter(used.ticket, used.digits),
      await enter(spent.ticket, spent.digits),
      await enter(await ticketFor(unsent), "123456"),
      await enter(UNKNOWN_TICKET, "123456"),
    ];
    const [first, ...others] = await Promise.all(refusals.map(visibleParts));
    expect(first?.status).toBe(401);
    expect(JSON.parse(first?.body ?? "")).toMatchObject({ error: { code: "CODE_WRONG" } });
    for (const other of others) expect(other).toEqual(first);
  });

  const networkOf = (ip: string) => ({
    send: (ticket: string, digits: string) =>
      worker.fetch("http://ember.localhost/api/auth/digits", {
        method: "POST",
        headers: { "content-type": "application/json", origin: "http://ember.localhost", "cf-connecting-ip": ip },
        body: JSON.stringify({ ticket, digits }),
      }),
  });

  /** Requests digits for the mailbox under an address that has not had a mail yet, past the limits on mails. */
  async function freshDigits(mailbox: string, number: number) {
    const [name, domain] = mailbox.split("@");
    const email = `${name}+${number}@${domain}`;
    const ticket = "B".repeat(40) + String(number).padStart(3, "0");
    const toBytes = (hash: Uint8Array) => hash.buffer as ArrayBuffer;
    await worker.env.DB.prepare(
      `insert into login_code (code_hash, purpose, email, brand, acknowledgements, ts_expires, ticket_hash, digits_hash)
       values (?, 'login', ?, 'ember', ?, ?, ?, ?)`,
    )
      .bind(
        toBytes(await hashToken(`${email} code`)),
        email,
        ACCEPTED,
        Date.now() + 600_000,
        toBytes(await hashToken(ticket)),
        toBytes(await hashDigits(ticket, "123456")),
      )
      .run();
    return ticket;
  }

  it("cannot be used up by a stranger's wrong tries, on one network or a whole IPv6 site", async () => {
    const stranger = ["192.0.2.7", "192.0.2.7", "2001:db8:1:1::1", "2001:db8:1:2::1"].map(networkOf);
    for (const [index, network] of stranger.entries()) {
      const ticket = await freshDigits("envied@example.test", index);
      for (let count = 0; count < LOGIN_DIGITS_TRIES_MAX; count += 1) {
        expect((await network.send(ticket, "000000")).status).toBe(401);
      }
    }
    // The stranger is out of tries, and the member logs in from a device that never did before.
    const refused = await freshDigits("envied@example.test", 10);
    for (const ip of ["192.0.2.7", "2001:db8:1:3::1"]) {
      expect((await networkOf(ip).send(refused, "123456")).status).toBe(401);
    }
    const ticket = await freshDigits("envied@example.test", 11);
    expect((await networkOf("198.51.100.4").send(ticket, "123456")).status).toBe(200);
  });

  it("can be tried a limited number of times a day per mailbox, by however many networks", async () => {
    const mails = LOGIN_DIGITS_PER_MAILBOX_TOTAL_MAX / LOGIN_DIGITS_TRIES_MAX;
    for (let mail = 0; mail < mails; mail += 1) {
      const ticket = await freshDigits("guessed@example.test", mail + 20);
      for (let count = 0; count < LOGIN_DIGITS_TRIES_MAX; count += 1) {
        await networkOf(`203.0.113.${mail * 10 + count}`).send(ticket, "000000");
      }
    }
    const ticket = await freshDigits("guessed@example.test", 40);
    expect((await networkOf("203.0.113.200").send(ticket, "123456")).status).toBe(401);
  });

  it.each([
    ["12345", "digits: needs six digits"],
    ["1234567", "digits: needs six digits"],
    ["", "digits: needs six digits"],
    ["12345O", "digits: contains “O” (U+004F), which does not belong there"],
  ])("must be six: rejects %j and says what is wrong", async (digits, message) => {
    const response = await enter(UNKNOWN_TICKET, digits);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { code: "BAD_INPUT", field: "digits", message } });
  });

  it("log in as they are pasted: invisible characters, dashes, a full stop, Arabic digits", async () => {
    const { ticket, digits } = await requestMail("pasted@example.test");
    const [first, last] = [digits.slice(0, 3), digits.slice(3)].map((part) =>
      part.replace(/\d/g, (digit) => String.fromCodePoint(0x660 + Number(digit))),
    );
    expect((await enter(ticket, `\u200B\u00A0“${first}\u2013${last}”.`)).status).toBe(200);
  });
});

it("generates digits with leading zeros", () => {
  const drawn = Array.from({ length: 2000 }, generateDigits);
  expect(drawn.every((digits) => /^\d{6}$/.test(digits))).toBe(true);
  expect(drawn.some((digits) => digits.startsWith("0"))).toBe(true);
  expect(new Set(drawn).size).toBeGreaterThan(1900);
});
