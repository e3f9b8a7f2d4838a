import { describe, expect, it } from "vitest";
import { dayName, nextDay, todayHere } from "./trip-days.ts";

describe("the day of a trip", () => {
  it("is a weekday within a week, and has its date beyond", () => {
    expect(dayName("2026-11-27", "en", "2026-11-22")).toBe("Friday");
    expect(dayName("2026-11-27", "es", "2026-11-22")).toBe("viernes");
    expect(dayName("2026-11-29", "en", "2026-11-22")).toBe("Sun, Nov 29");
    expect(dayName("2026-11-20", "en", "2026-11-22")).toBe("Fri, Nov 20");
  });

  it("is the first until the trip began, then the last", () => {
    const trip = { from: "2026-11-27", to: "2026-11-30" };
    expect(nextDay(trip, "2026-11-26")).toEqual(["from", "2026-11-27"]);
    expect(nextDay(trip, "2026-11-27")).toEqual(["until", "2026-11-30"]);
  });

  it("is counted from the device's own date", () => {
    expect(todayHere(new Date(2026, 0, 5, 23, 59))).toBe("2026-01-05");
  });
});
