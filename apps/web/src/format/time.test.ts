import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterEach, expect, test, vi } from "vitest";

afterEach(() => vi.useRealTimers());

test("formats the time of day the same way everywhere", async () => {
  vi.useFakeTimers({ now: new Date(2026, 10, 22, 12, 0) });
  const { clockTime, dateAndTime, dayAndTime, dueTime, shortTime } = await import("./time.ts");
  const early = new Date(2026, 10, 22, 3, 21).toISOString();
  const texts = [clockTime, shortTime, dayAndTime, dateAndTime].map((format) => format(early, "en"));
  expect(texts.map((text) => /\S+\s[AP]M$/.exec(text)?.[0].replace(/\s/, " "))).toEqual(texts.map(() => "3:21 AM"));
  expect(dueTime(Date.parse(early) + 864e5, "en")).toMatch(/^Mon 3:21\sAM$/);
});

test("no other file formats times of day", () => {
  const source = fileURLToPath(new URL("..", import.meta.url).href);
  const files = (readdirSync(source, { recursive: true }) as string[]).filter(
    (file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file) && file !== "format/time.ts",
  );
  const offenders = files.filter((file) =>
    /toLocaleTimeString|timeStyle|\bhour:|hour12/.test(readFileSync(source + file, "utf8")),
  );
  expect(offenders).toEqual([]);
});
