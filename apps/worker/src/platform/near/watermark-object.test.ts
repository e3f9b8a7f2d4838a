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
const { WatermarkObject } = await import("./watermark-object.ts");

/** What the primary says it is at. */
let primary: string | Error;
let asked: number;
let missed: number;
/** What the object keeps when it is forgotten. */
const stored = new Map<string, unknown>();

function makeWatermark() {
  const all = async () => {
    asked += 1;
    if (primary instanceof Error) throw primary;
    return { results: [{ times: missed }] };
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

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 });
  primary = "10";
  asked = 0;
  missed = 0;
  stored.clear();
});
afterEach(() => vi.useRealTimers());

describe("a watermark", () => {
  it("that begins anew asks the primary before it answers", async () => {
    expect(await makeWatermark().ask("me")).toBe("10");
  });

  it("holds what it was told from the next question on, and never falls", async () => {
    const watermark = makeWatermark();
    await watermark.ask("me");
    watermark.tell({ bookmark: "30", hides: true });
    watermark.tell({ bookmark: "20", hides: true });
    expect(await watermark.ask("me")).toBe("30");
  });

  it("keeps for one session what hides nothing from others, until all are beyond it", async () => {
    const watermark = makeWatermark();
    await watermark.ask("me");
    watermark.tell({ bookmark: "20", key: "me", hides: false });
    expect([await watermark.ask("me"), await watermark.ask("other")]).toEqual(["20", "10"]);
    primary = "40";
    vi.advanceTimersByTime(WATERMARK_LEASE_MS);
    expect([await watermark.ask("me"), await watermark.ask("other")]).toEqual(["40", "40"]);
  });

  it("learns what it was not told before its lease is over, however often it is asked", async () => {
    const watermark = makeWatermark();
    await watermark.ask("me");
    primary = "20";
    const written = Date.now();
    let known = 0;
    for (let at = 0; at <= 2 * WATERMARK_LEASE_MS; at += 100) {
      vi.setSystemTime(written + at);
      if ((await watermark.ask("me")) === "20") {
        known = at;
        break;
      }
    }
    expect(known).toBeGreaterThan(0);
    expect(known).toBeLessThanOrEqual(WATERMARK_LEASE_MS);
  });

  it("asks the primary twice in a lease, and not for each question", async () => {
    const watermark = makeWatermark();
    for (let at = 0; at < 10 * WATERMARK_LEASE_MS; at += 50) {
      vi.setSystemTime(1_000_000 + at);
      await watermark.ask("me");
    }
    expect(asked).toBeLessThanOrEqual(21);
  });

  it("answers nothing once its lease is over and the primary does not answer", async () => {
    const watermark = makeWatermark();
    await watermark.ask("me");
    primary = new Error("no primary");
    vi.advanceTimersByTime(WATERMARK_LEASE_MS - 1);
    expect(await watermark.ask("me")).toBe("10");
    vi.advanceTimersByTime(1);
    await expect(watermark.ask("me")).rejects.toThrow("no primary");
  });

  it("says whom it was told about since it was asked last, and anybody where it cannot know", async () => {
    const watermark = makeWatermark();
    const { mark, changed } = await watermark.news("me", null);
    expect(changed).toBe("anybody");
    watermark.tell({ bookmark: "20", hides: true, about: [7] });
    watermark.tell({ bookmark: "21", hides: false, key: "other" });
    const later = await watermark.news("me", mark);
    expect(later).toMatchObject({ bookmark: "20", changed: [7] });
    expect(await watermark.news("me", later.mark)).toMatchObject({ changed: [] });
    watermark.tell({ bookmark: "22", hides: true });
    expect(await watermark.news("me", later.mark)).toMatchObject({ changed: "anybody" });
    expect(await makeWatermark().news("me", later.mark)).toMatchObject({ changed: "anybody" });
  });

  it("goes on where it ended when it was forgotten in a quiet time, and begins anew otherwise", async () => {
    const first = makeWatermark();
    first.tell({ bookmark: "20", hides: true, about: [7] });
    const { mark } = await first.news("me", null);
    vi.advanceTimersByTime(5000);
    const second = makeWatermark();
    expect(await second.news("me", mark)).toMatchObject({ changed: [] });
    second.tell({ bookmark: "30", hides: true, about: [8] });
    expect(await second.news("me", mark)).toMatchObject({ changed: [8] });
    // Forgotten before it could write down where it ended.
    expect(await makeWatermark().news("me", mark)).toMatchObject({ changed: "anybody" });
  });

  it("hears of what it missed while it was forgotten", async () => {
    const { mark } = await makeWatermark().news("me", null);
    vi.advanceTimersByTime(5000);
    missed = 1;
    expect(await makeWatermark().news("me", mark)).toMatchObject({ changed: "anybody" });
  });

  it("learns that it was not told of something when it looks at the primary", async () => {
    const watermark = makeWatermark();
    const { mark } = await watermark.news("me", null);
    missed = 1;
    vi.advanceTimersByTime(WATERMARK_LEASE_MS);
    expect(await watermark.news("me", mark)).toMatchObject({ changed: "anybody" });
  });
});
