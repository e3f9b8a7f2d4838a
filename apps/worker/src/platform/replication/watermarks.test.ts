import { WATERMARK_LEASE_MS } from "@lambda/contract/limits";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { appRouter } from "../../router.ts";
import type { Env } from "../env.ts";
import type { Meta } from "../trpc.ts";
import { AFFECTS_AUTHOR_ONLY, CHANGES_BRIEF, KEEPS_SESSION } from "./mutation-effects.ts";
import { announceWrite, chooseReadSource } from "./watermarks.ts";

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
  return { announced, missed, env: { DB, WATERMARK } as unknown as Pick<Env, "DB" | "WATERMARK"> };
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
    const { env } = fakeRegions("enam");
    const errors = vi.spyOn(console, "error").mockImplementation(() => {});
    const headers = new Headers();
    await finish(announceWrite(env, MEMBER, headers, "20", { hides: false }));
    errors.mockRestore();
    const writeCookie = headers.get("set-cookie")?.split(";")[0];
    expect(await chooseReadSource(env, request(`__Host-session=token; ${writeCookie}`))).toEqual({ at: "primary" });
    expect(await chooseReadSource(env, MEMBER)).toMatchObject({ at: "replica", bookmark: "10" });
  });
});

describe("a read", () => {
  it("by a visitor goes to the primary", async () => {
    expect(await chooseReadSource(fakeRegions(null).env, request(""))).toEqual({ at: "primary" });
  });
});

/** Adding a procedure to this list claims that nobody sees less after such a call than before. */
it("announces only these mutations to just their author's region", () => {
  const procedures = Object.entries(appRouter._def.procedures as unknown as Record<string, { _def: { meta?: Meta } }>);
  const named = (kind: "boolean" | "function") =>
    procedures.filter(([, { _def }]) => typeof _def.meta?.mayReachRegionsLate === kind).map(([name]) => name);
  expect(named("boolean").sort()).toEqual([
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
  expect(named("function").sort()).toEqual(["likes.put", "messages.send", "pictureLikes.put", "positions.report"]);
});

it("lists only existing mutations", () => {
  const known = appRouter._def.procedures as unknown as Record<string, { _def: { type: string } }>;
  const listed = [...AFFECTS_AUTHOR_ONLY, ...CHANGES_BRIEF, ...KEEPS_SESSION];
  expect(listed.filter((name) => known[name]?._def.type !== "mutation")).toEqual([]);
});
