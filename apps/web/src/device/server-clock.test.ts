import { globSync, readFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

const HOUR_MS = 3_600_000;
const stored = new Map<string, string>();

beforeEach(() => {
  vi.resetModules();
  vi.useFakeTimers();
  vi.stubGlobal("localStorage", {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, value: string) => stored.set(name, value),
    removeItem: (name: string) => stored.delete(name),
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  stored.clear();
});

/** What a page shows that is opened at this time. */
async function openAt(time: string) {
  vi.setSystemTime(Date.parse(time));
  vi.resetModules();
  const [online, today, texts] = [
    import("../format/is-online.ts"),
    import("../format/local-today.ts"),
    import("../format/time.ts"),
  ];
  return { ...(await online), ...(await today), ...(await texts) };
}

const answered = (serverTime: number) => new Headers({ "x-now": String(serverTime) });

/** How many hours the device is ahead of the server. */
describe.each([0, 3, -3, 48, -48])("on a device %i hours ahead", (hours) => {
  const NOW = Date.parse("2026-11-25T12:00:00Z");

  it("times of the server are compared with the server's clock, also on the next visit", async () => {
    vi.setSystemTime(NOW + hours * HOUR_MS);
    const clock = await import("./server-clock.ts");
    clock.learnServerTime(answered(NOW));
    expect(clock.serverNow()).toBe(NOW);
    expect(stored.size).toBe(hours === 0 ? 0 : 1);
    vi.resetModules();
    expect((await import("./server-clock.ts")).serverNow()).toBe(NOW);
    const { isOnline } = await import("../format/is-online.ts");
    const seen = (minutesAgo: number) => ({ tsUpdated: new Date(NOW - minutesAgo * 60_000).toISOString() });
    expect([isOnline(seen(1)), isOnline(seen(60))]).toEqual([true, false]);
    const { dueTime } = await import("../format/time.ts");
    expect(dueTime(NOW + HOUR_MS, "en")).toMatch(/^\d{1,2}:\d{2}\s[AP]M$/);
    const { localToday } = await import("../format/local-today.ts");
    expect(localToday()).toBe("2026-11-25");
  });
});

it("learns nothing from an answer without the server's time, nor from latency, and notices a corrected clock", async () => {
  vi.setSystemTime(1_800_000_000_000);
  const clock = await import("./server-clock.ts");
  clock.learnServerTime(new Headers());
  clock.learnServerTime(answered(Date.now() - 20_000));
  expect([clock.serverNow(), stored.size]).toEqual([Date.now(), 0]);
  clock.learnServerTime(answered(Date.now() - HOUR_MS));
  expect(clock.serverNow()).toBe(Date.now() - HOUR_MS);
  clock.learnServerTime(answered(Date.now()));
  expect(clock.serverNow()).toBe(Date.now());
});

it("a device that is set back while the page is open changes nothing, and one that is set ahead is noticed at the next answer", async () => {
  vi.setSystemTime(1_800_000_000_000);
  const clock = await import("./server-clock.ts");
  clock.learnServerTime(answered(Date.now() - HOUR_MS));
  const before = clock.serverNow();
  vi.setSystemTime(Date.now() - 48 * HOUR_MS);
  expect(clock.serverNow()).toBe(before);
  vi.advanceTimersByTime(HOUR_MS);
  expect(clock.serverNow()).toBe(before + HOUR_MS);
  vi.setSystemTime(Date.now() + 96 * HOUR_MS);
  clock.learnServerTime(answered(before + HOUR_MS));
  expect(clock.serverNow()).toBe(before + HOUR_MS);
  vi.setSystemTime(Date.now() - 48 * HOUR_MS);
  expect(clock.serverNow()).toBe(before + HOUR_MS);
});

describe("across a change of summer time", () => {
  const zone = process.env.TZ;
  beforeEach(() => {
    process.env.TZ = "Europe/Berlin";
  });
  afterEach(() => {
    process.env.TZ = zone;
  });

  // At 01:00 UTC, the clock goes from 3:00 back to 2:00.
  it("a deadline is a moment: two hours are two hours, and days are those of the calendar", async () => {
    const { dueTime, localToday } = await openAt("2026-10-25T00:30:00Z");
    expect(dueTime(Date.now() + 2 * HOUR_MS, "es")).toBe("3:30");
    expect(localToday()).toBe("2026-10-25");
    const { dayName, shortTime, isOnline } = await openAt("2026-10-25T22:59:00Z");
    const words = { today: "Today", yesterday: "Yesterday" };
    // This day has 25 hours.
    expect(dayName("2026-10-24T22:30:00Z", words, "en")).toBe("Today");
    expect(dayName("2026-10-24T21:30:00Z", words, "en")).toBe("Yesterday");
    expect(shortTime("2026-10-24T22:30:00Z", "es")).toBe("0:30");
    expect(isOnline({ tsUpdated: new Date(Date.now() - 30_000).toISOString() })).toBe(true);
  });

  // At 01:00 UTC, the clock goes from 2:00 to 3:00.
  it("yesterday is yesterday after a day of 23 hours", async () => {
    const { dayName, localToday } = await openAt("2026-03-29T22:30:00Z");
    expect(localToday()).toBe("2026-03-30");
    expect(dayName("2026-03-28T23:30:00Z", { today: "Today", yesterday: "Yesterday" }, "en")).toBe("Yesterday");
  });
});

/** Files that may ask the device for the time, because no time of the server is meant. */
const DEVICE_TIME: Readonly<Record<string, string>> = {
  "device/server-clock.ts": "the offset itself",
  "device/quick-exit.ts": "moments of this page",
  "api/client.ts": "the request's start, as the device sees it",
  "api/api-fetch.ts": "the request's start, as the device sees it",
  "components/PictureUpload/send-picture.ts": "the request's start, as the device sees it",
  "features/accounts/lock/auto-lock.ts": "how long this device was left alone",
  "features/accounts/lock/locked-page.tsx": "the notes page works without a server",
  "features/accounts/lock/unlock.ts": "the notes page works without a server",
  "features/places/map/data/use-map-members.ts": "compared with the query cache's time of the last answer",
  "features/places/map/data/use-watched-squares.ts": "spreads refetches over each minute, by any clock",
  "features/profiles/search/tiles/TileScreen.tsx": "compared with the query cache's time of the last answer",
  "features/places/positions/gps.ts": "compared with times of the device's GPS",
  "features/places/positions/reporter.ts": "compared with times of the device's GPS",
};

it("no other file asks the device for the time", () => {
  const root = new URL("..", import.meta.url).pathname;
  const files = globSync("**/*.{ts,tsx}", { cwd: root }).filter((file) => !file.includes(".test."));
  const askingDevice = files.filter((file) => /\bDate\.now\b|new Date\(\)/.test(readFileSync(root + file, "utf8")));
  expect(askingDevice.filter((file) => !(file in DEVICE_TIME))).toEqual([]);
  expect(Object.keys(DEVICE_TIME).filter((file) => !askingDevice.includes(file))).toEqual([]);
});
