import { createHash, randomBytes } from "node:crypto";
import { HOUR_MS, MEET_GRACE_MS, MEET_PLAN_BYTES, MEET_POSITION_BYTES, MEET_SEAL_BYTES } from "@lambda/contract/limits";
import { as } from "@lambda/testing/member";
import { type ProductionWorker, startProductionWorker } from "@lambda/testing/production-worker";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { kindOf } from "../log.ts";
import { SESSION_COOKIE } from "./cookies.ts";

describe("what a line of the log says of a fault", () => {
  it.each([
    ["D1_ERROR: no such table: account: SQLITE_ERROR", "D1_ERROR: no such table: account"],
    [
      "D1_ERROR: UNIQUE constraint failed: account.email: SQLITE_CONSTRAINT",
      "D1_ERROR: constraint failed: account.email",
    ],
    ["D1_ERROR: D1 DB is overloaded. Requests queued for too long.", "D1_ERROR: overloaded, queued for too long"],
    ["D1_ERROR: Exceeded maximum DB size", "D1_ERROR: Exceeded maximum DB size"],
    ["Durable Object reset because its code was updated.", "code was updated"],
  ])("names its kind: %s", (message, said) => expect(kindOf(message)).toBe(said));

  it.each([
    "D1_TYPE_ERROR: Type 'object' not supported for value 'I live at Elm Street 5'",
    'D1_ERROR: near "Elm Street 5": syntax error',
    "destination address elm@street.example is not a verified address: not verified",
    "Elm Street 5",
    "D1_ERROR: CHECK constraint failed: text <> 'Elm Street 5'",
    "D1_ERROR: malformed JSON: Elm Street 5",
  ])("carries no value: %s", (message) => expect(kindOf(message).toLowerCase()).not.toMatch(/elm|street|object'/));
});

describe("the deployed worker", () => {
  let site: ProductionWorker;
  beforeAll(async () => {
    site = await startProductionWorker();
  });
  afterAll(() => site.close());

  const faults = () =>
    site
      .takeLogs()
      .flatMap((text) => text.split("\n"))
      .filter((line) => line.startsWith("{"))
      .map((line) => JSON.parse(line) as Record<string, string>);

  it("says which table is missing, in which call and request, and where, and no word of the caller", async () => {
    await site.worker.env.DB.exec("alter table contact_message rename to contact_message_gone");
    site.takeLogs();
    const body = JSON.stringify({
      name: "Elm Street",
      email: "elm@street.example",
      message: "Elm Street 5",
      kind: "other",
    });
    const headers = { "content-type": "application/json", origin: "https://ember.example" };
    const answer = await site.worker.fetchDirectly("https://ember.example/api/contactus-messages", {
      method: "POST",
      headers,
      body,
    });
    expect(answer.status).toBe(500);
    const lines = faults();
    const fault = lines.find(({ level }) => level === "error");
    expect(fault).toMatchObject({ procedure: "contact.send", id: answer.headers.get("x-request-id") });
    expect(fault?.error).toContain("no such table: contact_message");
    // The frames do not end within the query builder.
    expect(fault?.error).toMatch(/ at (?:async )?receive /);
    expect(lines.find(({ level }) => level === undefined)).toMatchObject({ id: fault?.id, status: 500 });
    expect(JSON.stringify(lines)).not.toMatch(/elm/i);
    await site.worker.env.DB.exec("alter table contact_message_gone rename to contact_message");
  });

  it("tells its version though nobody told it its commit", async () => {
    const answer = await site.worker.fetchDirectly("https://ember.example/api/version");
    expect([answer.status, await answer.json()]).toEqual([200, { gitCommitHash: "unknown", gitCommitTs: "unknown" }]);
  });

  it("names the route where the session could not be looked up", async () => {
    await site.worker.env.DB.exec("alter table session rename to session_gone");
    site.takeLogs();
    const cookie = `${SESSION_COOKIE}=${"a".repeat(43)}`;
    const answer = await site.worker.fetchDirectly("https://ember.example/api/profiles/mine", { headers: { cookie } });
    expect(answer.status).toBe(500);
    const fault = faults().find(({ level }) => level === "error");
    expect(fault).toMatchObject({ route: "/api/profiles/mine", id: answer.headers.get("x-request-id") });
    expect(fault?.error).toContain("no such table: session");
    await site.worker.env.DB.exec("alter table session_gone rename to session");
  });

  it("tells in no line where a request comes from", async () => {
    // As the edge tells it; the type of a browser's request knows no such field.
    const cf = { country: "US", regionCode: "TX", region: "Texas", city: "Houston" };
    const init = { cf } as RequestInit;
    site.takeLogs();
    const answer = await site.worker.fetchDirectly("https://ember.example/api/age", init);
    expect(await answer.json()).toMatchObject({ seeExplicit: "proof" });
    await site.worker.env.DB.exec("alter table age_request rename to age_request_gone");
    const failed = await site.worker.fetchDirectly("https://ember.example/api/age/request", {
      ...init,
      method: "POST",
      headers: { "content-type": "application/json", origin: "https://ember.example" },
      body: JSON.stringify({ method: "eu-av" }),
    });
    await site.worker.env.DB.exec("alter table age_request_gone rename to age_request");
    const lines = site.takeLogs();
    const text = lines.join("\n");
    expect(text).toContain(answer.headers.get("x-request-id"));
    expect(text).toContain(failed.headers.get("x-request-id"));
    expect(text).not.toMatch(/\b(US|TX)\b|texas|houston/i);
  });

  it("says nothing of a plan that a member left for a friend, taken or refused", async () => {
    const member = await as(site.worker);
    const random = (bytes: number) => randomBytes(bytes).toString("base64url");
    const hash = (text: string) => createHash("sha256").update(text).digest("base64url");
    const [id, reader, owner, fine, help] = [random(16), random(32), random(32), random(32), random(32)];
    const tokens = { reader: hash(reader), owner: hash(owner), fine: hash(fine), help: hash(help) };
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
    const lines = site.takeLogs();
    expect(lines.filter((line) => line.includes("/meet"))).toHaveLength(statuses.length);
    for (const secret of [id, reader, owner, fine, help, ...Object.values(tokens), plan, position])
      expect(lines.filter((line) => line.includes(secret.slice(0, 16)))).toEqual([]);
  });
});
