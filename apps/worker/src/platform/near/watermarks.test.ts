import { WATERMARK_LEASE_MS } from "@lambda/contract/limits";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { appRouter } from "../../router.ts";
import type { Env } from "../env.ts";
import type { Meta } from "../trpc.ts";
import { ABOUT_AUTHOR } from "./about-author.ts";
import { findStart, tellWritten } from "./watermarks.ts";

vi.stubGlobal("__DEVELOPMENT__", true);
beforeEach(() => vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"] }));
afterEach(() => vi.useRealTimers());

/** Watermarks of two regions, one of which may not be reached. */
function regions(unreachable: string | null) {
  const told: string[] = [];
  /** How many regions knew when it was written down that one did not. */
  const missed: number[] = [];
  const get = (region: string) => ({
    ask: async () => "10",
    tell: async () => {
      if (region === unreachable) throw new Error("not there");
      told.push(region);
    },
  });
  const run = async () => {
    missed.push(told.length);
    return { results: [], meta: {} };
  };
  const DB = { prepare: () => ({ run }) };
  const WATERMARK = { idFromName: (name: string) => name, get };
  return { told, missed, env: { DB, WATERMARK } as unknown as Pick<Env, "DB" | "WATERMARK"> };
}

/** Lets time pass until it is done; hashes are made beside the clock. */
async function pass(work: Promise<unknown>): Promise<void> {
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
  it("that hides something is acknowledged when every region knows", async () => {
    const { told, env } = regions(null);
    await tellWritten(env, MEMBER, new Headers(), "20", { hides: true });
    expect(told.sort()).toEqual(["enam", "oc"]);
  });

  it("that hides nothing is told where its author reads", async () => {
    const { told, env } = regions(null);
    await tellWritten(env, MEMBER, new Headers(), "20", { hides: false });
    expect(told).toEqual(["enam"]);
  });

  it("waits for a region that is not reached until that has forgotten what it knew", async () => {
    const { env, missed } = regions("oc");
    const errors = vi.spyOn(console, "error").mockImplementation(() => {});
    const started = Date.now();
    await pass(tellWritten(env, MEMBER, new Headers(), "20", { hides: true }));
    expect(Date.now() - started).toBeGreaterThan(WATERMARK_LEASE_MS);
    expect(String(errors.mock.calls[0])).toContain("watermark-told");
    // So that it learns of it when it looks, however long it kept what it knew of members.
    expect(missed).toHaveLength(1);
    errors.mockRestore();
  });

  it("that could not be told to the author's own region sends their reads to the primary for a while", async () => {
    const { env } = regions("enam");
    const errors = vi.spyOn(console, "error").mockImplementation(() => {});
    const answer = new Headers();
    await pass(tellWritten(env, MEMBER, answer, "20", { hides: false }));
    errors.mockRestore();
    const wrote = answer.get("set-cookie")?.split(";")[0];
    expect(await findStart(env, request(`__Host-session=token; ${wrote}`))).toEqual({ at: "primary" });
    expect(await findStart(env, MEMBER)).toEqual({ at: "replica", bookmark: "10" });
  });
});

describe("a read", () => {
  it("of a visitor goes to the primary", async () => {
    expect(await findStart(regions(null).env, request(""))).toEqual({ at: "primary" });
  });
});

/** Whoever adds one to this list says with it that nobody sees less after such a call than before. */
it("is told to its author alone for these calls, and to all regions for every other that changes something", () => {
  const procedures = Object.entries(appRouter._def.procedures as unknown as Record<string, { _def: { meta?: Meta } }>);
  const named = (kind: "boolean" | "function") =>
    procedures.filter(([, { _def }]) => typeof _def.meta?.hidesNothing === kind).map(([name]) => name);
  expect(named("boolean").sort()).toEqual([
    "games.busterDraw",
    "games.hotDraw",
    "games.identifyStart",
    "games.ratingDraw",
    "messages.delivered",
    "messages.read",
    "notes.put",
  ]);
  expect(named("function").sort()).toEqual(["likes.put", "messages.send", "pictureLikes.put", "positions.report"]);
});

it("names calls that there are", () => {
  const known = appRouter._def.procedures as unknown as Record<string, { _def: { type: string } }>;
  expect([...ABOUT_AUTHOR].filter((name) => known[name]?._def.type !== "mutation")).toEqual([]);
});
