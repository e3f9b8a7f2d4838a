import { HOUR_MS } from "@lambda/contract/limits";
import { afterEach, beforeEach, expect, it } from "vitest";
import { dayPart } from "./day-part.ts";
import { chosenEnd, offeredEnds } from "./offered-ends.ts";

const zone = process.env.TZ;
beforeEach(() => {
  process.env.TZ = "Europe/Berlin";
});
afterEach(() => {
  process.env.TZ = zone;
});

const labelsAt = (time: string) => offeredEnds(Date.parse(time), "en").map(({ label }) => label.replace("\u202F", " "));

it("tells the hour that comes twice from itself, and leaves out the one that does not come", () => {
  expect(labelsAt("2026-10-24T22:30:00Z").slice(0, 4)).toEqual([
    "1:00 AM",
    "2:00 AM GMT+2",
    "2:00 AM GMT+1",
    "3:00 AM",
  ]);
  expect(labelsAt("2026-03-28T23:30:00Z").slice(0, 3)).toEqual(["1:00 AM", "3:00 AM", "4:00 AM"]);
});

it.each(["Asia/Kathmandu", "Pacific/Chatham", "Australia/Lord_Howe"])("offers the full hours of %s", (name) => {
  process.env.TZ = name;
  for (const label of labelsAt("2026-11-27T20:20:00Z")) expect(label).toMatch(/^\d+:00 [AP]M$/);
  const [first] = offeredEnds(Date.parse("2026-11-27T20:20:00Z"), "en");
  expect(Date.parse(first!.value) - Date.parse("2026-11-27T20:20:00Z")).toBeLessThan(HOUR_MS);
});

it("keeps what was chosen, and takes the first end that is left once that has passed", () => {
  const now = Date.parse("2026-11-27T20:30:00Z");
  const chosen = "2026-11-27T22:00:00.000Z";
  expect(chosenEnd(offeredEnds(now, "en"), undefined)).toBe("2026-11-28T00:00:00.000Z");
  // Berlin, 10:45, 18:10, 21:30 and 0:30.
  const usual = ["2026-11-27T09:45:00Z", "2026-11-27T17:10:00Z", "2026-11-27T20:30:00Z", "2026-11-27T23:30:00Z"].map(
    (time) => [dayPart(Date.parse(time)), chosenEnd(offeredEnds(Date.parse(time), "en"), undefined).slice(11, 16)],
  );
  expect(usual).toEqual([
    ["today", "13:00"],
    ["tonight", "00:00"],
    ["tonight", "00:00"],
    ["tonight", "03:00"],
  ]);
  expect(chosenEnd(offeredEnds(now, "en"), chosen)).toBe(chosen);
  expect(chosenEnd(offeredEnds(now + HOUR_MS, "en"), chosen)).toBe(chosen);
  expect(chosenEnd(offeredEnds(now + 2 * HOUR_MS, "en"), chosen)).toBe("2026-11-27T23:00:00.000Z");
});
