import { WATERMARK_LEASE_MS } from "@lambda/contract/limits";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Env } from "../env.ts";

vi.mock("cloudflare:workers", () => ({
  DurableObject: class {
    readonly ctx: unknown;
    readonly env: unknown;
    constructor(ctx: unknown, env: unknown) {
      this.ctx = ctx;
      this.env = env;
    }
  },
}));
vi.stubGlobal("__DEVELOPMENT__", true);
const { WatermarkObject } = await import("./watermark-object.ts");

/** The primary's current bookmark. */
let primary: string | Error;
let primaryReads: number;
let missed: number;
/** The object's storage, which survives eviction. */
const stored = new Map<string, unknown>();

function makeWatermark() {
  const all = async () => {
    primaryReads += 1;
    if (primary instanceof Error) throw primary;
    return { results: [{ count: missed }] };
  };
  const withSession = () => ({ prepare: () => ({ all }), getBookmark: () => primary });
  const kv = {
    get: (key: string) => stored.get(key),
    put: (key: string, value: unknown) => stored.set(key, value),
    delete: (key: string) => stored.delete(key),
  };
  return new WatermarkObject(
    { storage: { kv } } as unknown as DurableObjectState,
    { DB: { withSession } } as unknown as Env,
  );
}

const bookmarkOf = async (watermark: ReturnType<typeof makeWatermark>, key: string) =>
  (await watermark.getSession(key, null)).bookmark;

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 });
  primary = "10";
  primaryReads = 0;
  missed = 0;
  stored.clear();
});
afterEach(() => vi.useRealTimers());

describe("a watermark", () => {
  it("reads the primary before its first result", async () => {
    expect(await bookmarkOf(makeWatermark(), "me")).toBe("10");
  });

  it("includes announced writes from the next read on, and never goes back", async () => {
    const watermark = makeWatermark();
    await bookmarkOf(watermark, "me");
    watermark.recordWrite({ bookmark: "30", hides: true });
    watermark.recordWrite({ bookmark: "20", hides: true });
    expect(await bookmarkOf(watermark, "me")).toBe("30");
  });

  it("applies a write that hides nothing to its own session only, until the watermark is newer", async () => {
    const watermark = makeWatermark();
    await bookmarkOf(watermark, "me");
    watermark.recordWrite({ bookmark: "20", key: "me", hides: false });
    expect([await bookmarkOf(watermark, "me"), await bookmarkOf(watermark, "other")]).toEqual(["20", "10"]);
    primary = "40";
    vi.advanceTimersByTime(WATERMARK_LEASE_MS);
    expect([await bookmarkOf(watermark, "me"), await bookmarkOf(watermark, "other")]).toEqual(["40", "40"]);
  });

  it("notices a missed write within its lease, however often it is read", async () => {
    const watermark = makeWatermark();
    await bookmarkOf(watermark, "me");
    primary = "20";
    const written = Date.now();
    let known = 0;
    for (let at = 0; at <= 2 * WATERMARK_LEASE_MS; at += 100) {
      vi.setSystemTime(written + at);
      if ((await bookmarkOf(watermark, "me")) === "20") {
        known = at;
        break;
      }
    }
    expect(known).toBeGreaterThan(0);
    expect(known).toBeLessThanOrEqual(WATERMARK_LEASE_MS);
  });

  it("reads the primary only twice per lease", async () => {
    const watermark = makeWatermark();
    for (let at = 0; at < 10 * WATERMARK_LEASE_MS; at += 50) {
      vi.setSystemTime(1_000_000 + at);
      await bookmarkOf(watermark, "me");
    }
    expect(primaryReads).toBeLessThanOrEqual(21);
  });

  it("fails once its lease has expired and the primary does not respond", async () => {
    const watermark = makeWatermark();
    await bookmarkOf(watermark, "me");
    primary = new Error("no primary");
    vi.advanceTimersByTime(WATERMARK_LEASE_MS - 1);
    expect(await bookmarkOf(watermark, "me")).toBe("10");
    vi.advanceTimersByTime(1);
    await expect(bookmarkOf(watermark, "me")).rejects.toThrow("no primary");
  });

  it("returns the members concerned since the last read, or anybody if it cannot know", async () => {
    const watermark = makeWatermark();
    const { mark, changed } = await watermark.getUpdates("me", null);
    expect(changed).toBe("anybody");
    watermark.recordWrite({ bookmark: "20", hides: true, about: [7] });
    watermark.recordWrite({ bookmark: "21", hides: false, key: "other" });
    const later = await watermark.getUpdates("me", mark);
    expect(later).toMatchObject({ bookmark: "20", changed: [7] });
    expect(await watermark.getUpdates("me", later.mark)).toMatchObject({ changed: [] });
    watermark.recordWrite({ bookmark: "22", hides: true });
    expect(await watermark.getUpdates("me", later.mark)).toMatchObject({ changed: "anybody" });
    expect(await makeWatermark().getUpdates("me", later.mark)).toMatchObject({ changed: "anybody" });
  });

  it("lets a session be reused until its member writes or a change concerns them", async () => {
    const watermark = makeWatermark();
    let { mark, isCurrent } = await watermark.getSession("me", null);
    expect(isCurrent).toBe(false);
    const ask = async () => {
      ({ mark, isCurrent } = await watermark.getSession("me", { profileId: 7, mark }));
      return isCurrent;
    };
    expect(await ask()).toBe(true);
    watermark.recordWrite({ bookmark: "20", hides: true, about: [8] });
    watermark.recordWrite({ bookmark: "21", hides: false, key: "other", about: [8] });
    expect(await ask()).toBe(true);
    for (const written of [{ hides: false, about: [7] }, { hides: true, about: [7] }, { hides: true }]) {
      watermark.recordWrite({ bookmark: "22", ...written });
      expect(await ask()).toBe(false);
      expect(await ask()).toBe(true);
    }
    expect(await makeWatermark().getSession("me", { profileId: 7, mark })).toMatchObject({ isCurrent: false });
  });

  it("continues its feed after an eviction while idle, and otherwise starts a new one", async () => {
    const first = makeWatermark();
    first.recordWrite({ bookmark: "20", hides: true, about: [7] });
    const { mark } = await first.getUpdates("me", null);
    vi.advanceTimersByTime(5000);
    const second = makeWatermark();
    expect(await second.getUpdates("me", mark)).toMatchObject({ changed: [] });
    second.recordWrite({ bookmark: "30", hides: true, about: [8] });
    expect(await second.getUpdates("me", mark)).toMatchObject({ changed: [8] });
    // Evicted before it could store the end of its feed.
    expect(await makeWatermark().getUpdates("me", mark)).toMatchObject({ changed: "anybody" });
  });

  it("notices an announcement missed while it was evicted", async () => {
    const { mark } = await makeWatermark().getUpdates("me", null);
    vi.advanceTimersByTime(5000);
    missed = 1;
    expect(await makeWatermark().getUpdates("me", mark)).toMatchObject({ changed: "anybody" });
  });

  it("notices a missed announcement when it reads the primary", async () => {
    const watermark = makeWatermark();
    const { mark } = await watermark.getUpdates("me", null);
    missed = 1;
    vi.advanceTimersByTime(WATERMARK_LEASE_MS);
    expect(await watermark.getUpdates("me", mark)).toMatchObject({ changed: "anybody" });
  });
});
