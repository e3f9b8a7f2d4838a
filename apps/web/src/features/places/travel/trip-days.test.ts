import { describe, expect, it } from "vitest";
import { formatTripDay, nextTripDate } from "./trip-days.ts";

describe("trip dates", () => {
  it("show the weekday within a week and the date beyond", () => {
    expect(formatTripDay("2026-11-27", "en", "2026-11-22")).toBe("Friday");
    expect(formatTripDay("2026-11-27", "es", "2026-11-22")).toBe("viernes");
    expect(formatTripDay("2026-11-29", "en", "2026-11-22")).toBe("Sun, Nov 29");
    expect(formatTripDay("2026-11-20", "en", "2026-11-22")).toBe("Fri, Nov 20");
  });

  it("show the start until the trip starts, then the end", () => {
    const trip = { from: "2026-11-27", to: "2026-11-30" };
    expect(nextTripDate(trip, "2026-11-26")).toEqual(["from", "2026-11-27"]);
    expect(nextTripDate(trip, "2026-11-27")).toEqual(["until", "2026-11-30"]);
  });
});
