import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { SESSION_CACHE_MS, WATERMARK_LEASE_MS } from "@lambda/contract/limits";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { appRouter } from "../../router.ts";
import type { Context } from "../context.ts";
import type { Env } from "../env.ts";
import type { Keys } from "../keys.ts";
import { createCallerFactory, type Meta, mayReachRegionsLateIf, openProcedure, router } from "../trpc.ts";
import { AFFECTS_AUTHOR_ONLY, CHANGES_BRIEF, KEEPS_SESSION } from "./mutation-effects.ts";
import { announceWrite, announceWriteLater, chooseReadSource } from "./watermarks.ts";

const SOURCE = fileURLToPath(new URL("../../", import.meta.url).href);

interface Definition {
  readonly meta?: Meta;
  readonly middlewares: readonly { readonly name: string }[];
}
const procedures = Object.entries(appRouter._def.procedures as unknown as Record<string, { _def: Definition }>)
  .map(([name, { _def }]) => [name, _def] as const)
  .toSorted(([one], [other]) => (one < other ? -1 : 1));

vi.stubGlobal("__DEVELOPMENT__", true);
beforeEach(() => vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"] }));
afterEach(() => vi.useRealTimers());

/** Watermarks of two regions, one of which may be unreachable. */
function fakeRegions(unreachable: string | null) {
  const announced: string[] = [];
  /** How many regions had been reached when a miss was recorded. */
  const missed: number[] = [];
  const get = (region: string) => ({
    getSession: async () => ({ bookmark: "10", mark: {}, isCurrent: false }),
    recordWrite: async () => {
      if (region === unreachable) throw new Error("not there");
      announced.push(region);
    },
  });
  const run = async () => {
    missed.push(announced.length);
    return { results: [], meta: {} };
  };
  const DB = { prepare: () => ({ run }) };
  const WATERMARK = { idFromName: (name: string) => name, get };
  return {
    announced,
    missed,
    env: { DB, WATERMARK, SITE_KEY: "site" } as unknown as Pick<Env, "DB" | "WATERMARK"> & Keys,
  };
}

/** Advances fake time until the work is done; hashing needs real event loop turns. */
async function finish(work: Promise<unknown>): Promise<void> {
  let isDone = false;
  const watched = work.finally(() => {
    isDone = true;
  });
  while (!isDone) {
    await vi.advanceTimersByTimeAsync(50);
    await new Promise((resolve) => setImmediate(resolve));
  }
  await watched;
}

const request = (cookie: string) => new Request("https://ember.example/", { headers: { cookie } });
const MEMBER = request("__Host-session=token");

describe("a change", () => {
  it("that hides something is announced to every region", async () => {
    const { announced, env } = fakeRegions(null);
    await announceWrite(env, MEMBER, new Headers(), "20", { hides: true });
    expect(announced.sort()).toEqual(["enam", "oc"]);
  });

  it("that hides nothing is announced only to its author's region", async () => {
    const { announced, env } = fakeRegions(null);
    await announceWrite(env, MEMBER, new Headers(), "20", { hides: false });
    expect(announced).toEqual(["enam"]);
  });

  it("waits until the state of an unreachable region has expired", async () => {
    const { env, missed } = fakeRegions("oc");
    const errors = vi.spyOn(console, "error").mockImplementation(() => {});
    const started = Date.now();
    await finish(announceWrite(env, MEMBER, new Headers(), "20", { hides: true }));
    expect(Date.now() - started).toBeGreaterThan(WATERMARK_LEASE_MS);
    expect(String(errors.mock.calls[0])).toContain("watermark-told");
    // Recorded, so that the region later drops what it cached about members.
    expect(missed).toHaveLength(1);
    errors.mockRestore();
  });

  it("that did not reach its author's region sends their reads to the primary for a while", async () => {
    const { env, missed } = fakeRegions("enam");
    const errors = vi.spyOn(console, "error").mockImplementation(() => {});
    const headers = new Headers();
    await finish(announceWrite(env, MEMBER, headers, "20", { hides: false, about: [7] }));
    errors.mockRestore();
    // Recorded, so that the region reads the sessions of the members concerned anew.
    expect(missed).toHaveLength(1);
    const writeCookie = headers.get("set-cookie")?.split(";")[0];
    expect(await chooseReadSource(env, request(`__Host-session=token; ${writeCookie}`))).toEqual({ at: "primary" });
    expect(await chooseReadSource(env, MEMBER)).toMatchObject({ at: "nearby", bookmark: "10" });
  });
});

describe("a write that leaves its author's session as it was", () => {
  it("is answered at once, and read from a copy that has it before the region knows of it", async () => {
    const { env } = fakeRegions(null);
    const never = new Promise<never>(() => {});
    const silent = { ...env.WATERMARK, get: () => ({ ...env.WATERMARK.get({} as never), recordWrite: () => never }) };
    const work: Promise<unknown>[] = [];
    const headers = new Headers();
    const later = { ...env, WATERMARK: silent as unknown as Env["WATERMARK"] };
    await announceWriteLater(later, MEMBER, headers, "20 1=7", (promise) => void work.push(promise));
    expect(work).toHaveLength(1);
    const cookie = headers.get("set-cookie")?.split(";")[0] ?? "";
    expect(cookie).toMatch(/^__Host-wrote=enam\.[\w-]+$/);
    const read = (sent: string) => chooseReadSource(env, request(sent));
    // The message database that the region's watermark leaves out is read from its primary.
    expect(await read(`__Host-session=token; ${cookie}`)).toMatchObject({ at: "nearby", bookmark: "20" });
    for (const forged of [
      `token; ${cookie.slice(0, -2)}`,
      `token; ${cookie.replace(/\..*/, ".30")}`,
      `another; ${cookie}`,
    ])
      expect(await read(`__Host-session=${forged}`), forged).toEqual({ at: "primary" });
  });
});

describe("a read", () => {
  it("has its session's row for a minute, unless the region knows of a change to the member", async () => {
    const { env } = fakeRegions(null);
    let isCurrent = true;
    const getSession = vi.fn(async (_key: string, known: object | null) => ({
      bookmark: "10",
      mark: {},
      isCurrent: known !== null && isCurrent,
    }));
    const WATERMARK = { ...env.WATERMARK, get: () => ({ getSession }) } as unknown as Env["WATERMARK"];
    const rowOf = async () => {
      const source = await chooseReadSource({ ...env, WATERMARK }, request("__Host-session=kept"));
      const session = source.at === "primary" ? undefined : source.session;
      if (session && !session.current) session.keep({ id: 1 }, 7);
      return session?.current;
    };
    expect(await rowOf()).toBeUndefined();
    vi.setSystemTime(Date.now() + 30_000);
    expect([await rowOf(), getSession.mock.calls.at(-1)?.[1]]).toMatchObject([{ id: 1 }, { profileId: 7 }]);
    isCurrent = false;
    expect(await rowOf()).toBeUndefined();
    isCurrent = true;
    vi.setSystemTime(Date.now() + SESSION_CACHE_MS);
    expect([await rowOf(), getSession.mock.calls.at(-1)?.[1]]).toEqual([undefined, null]);
  });

  it("by a visitor goes to the primary", async () => {
    expect(await chooseReadSource(fakeRegions(null).env, request(""))).toEqual({ at: "primary" });
  });
});

/** Adding a procedure to this list claims that nobody sees less after such a call than before. */
it("announces only these mutations to just their author's region", () => {
  expect(procedures.filter(([, { meta }]) => meta?.mayReachRegionsLate).map(([name]) => name)).toEqual([
    "export.link",
    "games.busterDraw",
    "games.hotDraw",
    "games.identifyStart",
    "games.ratingDraw",
    "messages.delivered",
    "messages.react",
    "messages.read",
    "notes.put",
  ]);
  const judged = procedures.filter(([, { middlewares }]) =>
    middlewares.some(({ name }) => name === "judgeParsedInput"),
  );
  expect(judged.map(([name]) => name)).toEqual(["likes.put", "messages.send", "pictureLikes.put", "positions.report"]);
});

describe("an input that decides to whom a change is announced", () => {
  it("is parsed before", async () => {
    const changes = { calls: 0, reachingLate: 0, keepingSession: 0, aboutOthers: 0, concerned: [], briefs: 0 };
    const hidesNothing = vi.fn(({ type }: { type: string }) => type !== "album");
    const send = openProcedure("POST /send", "")
      .input(z.object({ type: z.string().trim().max(9) }))
      .use(mayReachRegionsLateIf(hidesNothing))
      .mutation(() => ({}));
    const caller = createCallerFactory(router({ send }))({ changes, undo: [] } as unknown as Context);
    await caller.send({ type: " album" });
    expect(changes).toMatchObject({ calls: 1, reachingLate: 0, aboutOthers: 1 });
    await caller.send({ type: "place" });
    expect(changes).toMatchObject({ calls: 2, reachingLate: 1, aboutOthers: 1 });
    await expect(caller.send({ type: "much too long" })).rejects.toThrow("too_big");
    expect(changes).toMatchObject({ calls: 3, reachingLate: 1, aboutOthers: 2 });
    expect(hidesNothing).toHaveBeenCalledTimes(2);
    for (const [name, { middlewares }] of procedures) {
      const [judge, parse] = ["judgeParsedInput", "inputValidatorMiddleware"].map((part) =>
        middlewares.findIndex((middleware) => middleware.name === part),
      ) as [number, number];
      expect(judge === -1 || (parse !== -1 && parse < judge), name).toBe(true);
    }
  });

  it("is read unparsed by no procedure", () => {
    const files = (readdirSync(SOURCE, { recursive: true }) as string[])
      .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
      .filter((file) => readFileSync(SOURCE + file, "utf8").includes("getRawInput"));
    expect(files, "the adapter hands it to tRPC").toEqual(["platform/rest/adapter.ts"]);
  });
});

it("lists only existing mutations", () => {
  const known = appRouter._def.procedures as unknown as Record<string, { _def: { type: string } }>;
  const listed = [...AFFECTS_AUTHOR_ONLY, ...CHANGES_BRIEF, ...KEEPS_SESSION];
  expect(listed.filter((name) => known[name]?._def.type !== "mutation")).toEqual([]);
});
