import { createHash, randomBytes } from "node:crypto";
import { HOUR_MS, MEET_GRACE_MS, MEET_PLAN_BYTES, MEET_POSITION_BYTES, MEET_SEAL_BYTES } from "@lambda/contract/limits";
import { createMember } from "@lambda/testing/member";
import { type ProductionWorker, startProductionWorker } from "@lambda/testing/production-worker";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { redactMessage } from "../log.ts";
import { SESSION_COOKIE } from "./cookies.ts";

describe("a redacted error message", () => {
  it.each([
    ["D1_ERROR: no such table: account: SQLITE_ERROR", "D1_ERROR: no such table: account"],
    [
      "D1_ERROR: UNIQUE constraint failed: account.email: SQLITE_CONSTRAINT",
      "D1_ERROR: constraint failed: account.email",
    ],
    ["D1_ERROR: D1 DB is overloaded. Requests queued for too long.", "D1_ERROR: overloaded, queued for too long"],
    ["D1_ERROR: Exceeded maximum DB size", "D1_ERROR: Exceeded maximum DB size"],
    ["Durable Object reset because its code was updated.", "code was updated"],
  ])("keeps safe phrases and names: %s", (message, redacted) => expect(redactMessage(message)).toBe(redacted));

  it.each([
    "D1_TYPE_ERROR: Type 'object' not supported for value 'I live at Elm Street 5'",
    'D1_ERROR: near "Elm Street 5": syntax error',
    "destination address elm@street.example is not a verified address: not verified",
    "Elm Street 5",
    "D1_ERROR: CHECK constraint failed: text <> 'Elm Street 5'",
    "D1_ERROR: malformed JSON: Elm Street 5",
  ])("contains no value: %s", (message) =>
    expect(redactMessage(message).toLowerCase()).not.toMatch(/elm|street|object'/),
  );
});

describe("the deployed worker", () => {
  let site: ProductionWorker;
  beforeAll(async () => {
    site = await startProductionWorker();
  });
  afterAll(() => site.close());

  const takeLogEntries = () =>
    site
      .takeLogs()
      .flatMap((text) => text.split("\n"))
      .filter((line) => line.startsWith("{"))
      .map((line) => JSON.parse(line) as Record<string, string>);

  it("logs the missing table, procedure, request id and stack, but nothing the caller sent", async () => {
    await site.worker.env.DB.exec("alter table contact_message rename to contact_message_gone");
    site.takeLogs();
    const body = JSON.stringify({
      name: "Elm Street",
      email: "elm@street.example",
      message: "Elm Street 5",
      kind: "other",
    });
    const headers = { "content-type": "application/json", origin: "https://ember.example" };
    const response = await site.worker.fetchDirectly("https://ember.example/api/contactus-messages", {
      method: "POST",
      headers,
      body,
    });
    expect(response.status).toBe(500);
    const lines = takeLogEntries();
    const fault = lines.find(({ level }) => level === "error");
    expect(fault).toMatchObject({ procedure: "contact.send", id: response.headers.get("x-request-id") });
    expect(fault?.error).toContain("no such table: contact_message");
    // The stack reaches beyond the query builder, in the short names that `npm run stack` decodes.
    expect(fault?.error).toMatch(/ at async \w+\.executeTakeFirst.* at async [\w.$]+\.middlewares /);
    expect(lines.find(({ level }) => level === undefined)).toMatchObject({ id: fault?.id, status: 500 });
    expect(JSON.stringify(lines)).not.toMatch(/elm/i);
    await site.worker.env.DB.exec("alter table contact_message_gone rename to contact_message");
  });

  it("reports an unknown version when deployed without its commit", async () => {
    const response = await site.worker.fetchDirectly("https://ember.example/api/version");
    expect([response.status, await response.json()]).toEqual([
      200,
      { gitCommitHash: "unknown", gitCommitTs: "unknown" },
    ]);
  });

  it("logs the route when the session lookup fails", async () => {
    await site.worker.env.DB.exec("alter table session rename to session_gone");
    site.takeLogs();
    const cookie = `${SESSION_COOKIE}=${"a".repeat(43)}`;
    const response = await site.worker.fetchDirectly("https://ember.example/api/profiles/mine", {
      headers: { cookie },
    });
    expect(response.status).toBe(500);
    const fault = takeLogEntries().find(({ level }) => level === "error");
    expect(fault).toMatchObject({ route: "/api/profiles/mine", id: response.headers.get("x-request-id") });
    expect(fault?.error).toContain("no such table: session");
    await site.worker.env.DB.exec("alter table session_gone rename to session");
  });

  it("never logs where a request comes from", async () => {
    // Set by Cloudflare's edge; the standard RequestInit has no such field.
    const cf = { country: "US", regionCode: "TX", region: "Texas", city: "Houston" };
    const init = { cf } as RequestInit;
    site.takeLogs();
    const response = await site.worker.fetchDirectly("https://ember.example/api/age", init);
    expect(await response.json()).toMatchObject({ seeExplicit: "proof" });
    await site.worker.env.DB.exec("alter table age_request rename to age_request_gone");
    const failed = await site.worker.fetchDirectly("https://ember.example/api/age/request", {
      ...init,
      method: "POST",
      headers: { "content-type": "application/json", origin: "https://ember.example" },
      body: JSON.stringify({ method: "eu-av" }),
    });
    await site.worker.env.DB.exec("alter table age_request_gone rename to age_request");
    let text = "";
    const readLog = () => (text += site.takeLogs().join("\n"));
    await expect.poll(readLog).toContain(response.headers.get("x-request-id"));
    await expect.poll(readLog).toContain(failed.headers.get("x-request-id"));
    expect(text).not.toMatch(/\b(US|TX)\b|texas|houston/i);
  });

  it("never logs the data of a plan, accepted or rejected", async () => {
    const member = await createMember(site.worker);
    const random = (bytes: number) => randomBytes(bytes).toString("base64url");
    const hash = (text: string) => createHash("sha256").update(text).digest("base64url");
    const [reader, owner, fine, help] = [random(32), random(32), random(32), random(32)];
    const id = hash(owner).slice(0, 22);
    const tokens = { reader: hash(reader), owner, fine: hash(fine), help: hash(help) };
    const times = { runsMs: HOUR_MS, graceMs: MEET_GRACE_MS };
    const plan = random(MEET_PLAN_BYTES + MEET_SEAL_BYTES);
    const position = random(MEET_POSITION_BYTES + MEET_SEAL_BYTES);
    site.takeLogs();
    const post = async (path: string, body: object) => (await member.send("POST", `/api/meet${path}`, body)).status;
    const statuses = [
      await post("", { id, ...tokens, ...times, plan }),
      await post("", { id, ...tokens, ...times, plan: `${plan}!`, runsMs: position }),
      await post("/position", { id, owner, position }),
      await post("/position", { id, owner, position: `${position}!` }),
      await post("/answer", { id, reader, pin: random(32), act: { type: "fine" } }),
      await post("/answer", { id, reader, pin: help, act: { type: "fine" } }),
      await post("/read", { id, reader }),
    ];
    expect(statuses).toEqual([201, 400, 200, 400, 200, 200, 200]);
    // The runtime writes its log some time after the answer.
    const lines: string[] = [];
    const countLogged = () => {
      lines.push(...site.takeLogs());
      return lines.filter((line) => line.includes("/meet")).length;
    };
    await expect.poll(countLogged).toBe(statuses.length);
    for (const secret of [id, reader, owner, fine, help, ...Object.values(tokens), plan, position])
      expect(lines.filter((line) => line.includes(secret.slice(0, 16)))).toEqual([]);
  });
});
