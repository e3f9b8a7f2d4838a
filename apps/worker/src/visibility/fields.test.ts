import { getBrand } from "@lambda/brands";
import { ALLOWED_FIELDS } from "@lambda/testing/adversary/allowed-fields";
import {
  listKeyPaths,
  listReads,
  type RecordedResponse,
  readEverything,
} from "@lambda/testing/adversary/read-everything";
import { createSubject, SECRET_WORD, SUBJECT_NAME, type Subject } from "@lambda/testing/adversary/secrets";
import { createMember, type TestMember } from "@lambda/testing/member";
import { openSocket } from "@lambda/testing/socket";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { beforeAll, describe, expect, it } from "vitest";
import { appRouter } from "../router.ts";

/**
 * All private columns of one member hold recognizable values, and other members request everything. No response, header
 * or frame may hold one of these values or a key that is not allowed, and none may name the subject once they hide or
 * block.
 */
let worker: TestWorker;
let subject: Subject;
let match: TestMember;
let stranger: TestMember;
let blocked: TestMember;
let third: TestMember;
const TIMEOUT_MS = 180_000;

beforeAll(async () => {
  worker = await startWorker();
  [match, stranger, blocked, third] = await Promise.all([
    createMember(worker),
    createMember(worker),
    createMember(worker),
    createMember(worker),
  ]);
  subject = await createSubject(worker, match, third);
  await subject.member.send("PUT", "/api/profile-like", { likedProfileId: blocked.id, blocked: true });
});

function readAll(by: TestMember): Promise<RecordedResponse[]> {
  const { lat, lon } = getBrand("ember").firstCity;
  return readEverything(appRouter, by, subject.member.id, { lat, lon, caseRef: subject.caseRef, text: SECRET_WORD });
}

/** The calls whose response names the subject. A response may repeat the requested id, but never the name. */
const naming = (seen: RecordedResponse[]) =>
  seen
    .filter(({ text }) => text.includes(SUBJECT_NAME) || text.includes(String(subject.member.id)))
    .map(({ name }) => name);

function leaks(texts: readonly string[]): string[] {
  return subject.secrets.filter((secret) => texts.some((text) => text.includes(secret)));
}

describe("the table of allowed fields", () => {
  it("lists every call that reads", () => {
    expect(
      listReads(appRouter)
        .map(({ name }) => name)
        .filter((name) => !(name in ALLOWED_FIELDS)),
    ).toEqual([]);
  });
});

describe("a member as others see them", () => {
  it.each([
    ["the match", () => match],
    ["a stranger", () => stranger],
    ["a blocked member", () => blocked],
  ])("%s reads only allowed keys, and no private value", { timeout: TIMEOUT_MS }, async (_, by) => {
    const seen = await readAll(by());
    expect(seen.filter(({ status }) => status >= 500)).toEqual([]);
    for (const { name, text, json } of seen) {
      expect(leaks([text]), `${name}: ${text}`).toEqual([]);
      const allowedKeys = ALLOWED_FIELDS[name];
      if (typeof allowedKeys === "string" || allowedKeys === undefined) {
        expect(naming([{ name, text, json, status: 200 }]), text).toEqual([]);
        continue;
      }
      expect(
        listKeyPaths(json).filter((key) => !allowedKeys.includes(key)),
        name,
      ).toEqual([]);
    }
  });

  it("is found by the match and by a stranger, so the search itself works", { timeout: TIMEOUT_MS }, async () => {
    for (const by of [match, stranger]) {
      const found = new Set(naming(await readAll(by)));
      for (const call of [
        "profiles.get",
        "positions.nearest",
        "positions.byBounds",
        "positions.byIds",
        "positions.distances",
      ])
        expect(found, call).toContain(call);
      for (const call of ["pictures.list", "games.cooties"]) expect(found, call).toContain(call);
    }
    expect(new Set(naming(await readAll(match)))).toContain("messages.conversations");
  });

  it("shows subjects their own private values", { timeout: TIMEOUT_MS }, async () => {
    const texts = (await readAll(subject.member)).map(({ text }) => text);
    expect(leaks(texts)).toEqual(expect.arrayContaining([SECRET_WORD, "undetectable", "1983-07-19"]));
  });

  it("shows the age but not the birthdate, and an album without a grant as empty", async () => {
    const profile = await match.get<Record<string, unknown>>(`/api/profile/${subject.member.id}`);
    expect(profile).toMatchObject({ birthdate: null, profilePicIdsPrivate: [] });
    expect(profile.age).toBeGreaterThan(40);
  });

  it("sends nothing private over sockets", { timeout: TIMEOUT_MS }, async () => {
    const sockets = await Promise.all([openSocket(worker, match), openSocket(worker, stranger, { path: "/ws/area" })]);
    const { member } = subject;
    await member.send("POST", "/api/message", { recipientProfileId: match.id, bodyText: "Live one" });
    await member.send("POST", "/api/message", { bodyText: "To all around" });
    await member.send("PUT", "/api/messages/read", { profileId: match.id, upToMessageId: 1_000_000 });
    await sockets[0].waitFor("message", ({ message }) => message.bodyText === "Live one");
    await sockets[1].waitFor("broadcast", ({ message }) => message.bodyText === "To all around");
    expect(leaks(sockets.map(({ events }) => JSON.stringify(events)))).toEqual([]);
    for (const socket of sockets) socket.close();
  });
});

describe("from the next request on", () => {
  type Step = () => Promise<unknown>;
  const set =
    (column: "hidden" | "status", value: unknown): Step =>
    () =>
      worker.env.DB.prepare(`update profile set ${column} = ? where id = ?`).bind(value, subject.member.id).run();
  const beDiscreet =
    (discreet: boolean): Step =>
    () =>
      subject.member.send("PUT", "/api/settings/discreet", { discreet });
  const block: Step = () =>
    match.send("PUT", "/api/profile-like", { likedProfileId: subject.member.id, blocked: true });
  const nothing: Step = async () => undefined;
  const separations: [who: string, by: () => TestMember, begin: Step, end: Step][] = [
    ["a blocked member", () => blocked, nothing, nothing],
    ["everyone, while the subject hides", () => match, set("hidden", 1), set("hidden", 0)],
    ["a stranger, while the subject is discreet", () => stranger, beDiscreet(true), beDiscreet(false)],
    ["everyone, while the subject is suspended", () => stranger, set("status", "suspended"), set("status", "active")],
    ["a member who blocked the subject", () => match, block, nothing],
  ];

  it.each(separations)("%s finds the subject nowhere", { timeout: TIMEOUT_MS }, async (_, by, begin, end) => {
    await begin();
    const named = naming(await readAll(by()));
    await end();
    // A member who blocked the subject keeps their id in order to undo it: in the list of blocks, and with their own
    // like.
    expect(named.filter((name) => name !== "blocks.list" && name !== "likes.get")).toEqual([]);
  });
});
