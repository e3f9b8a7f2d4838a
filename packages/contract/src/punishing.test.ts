import { describe, expect, it, vi } from "vitest";
import { findPunishingCountry, PUNISHING, reviewWarning } from "./punishing.ts";

describe("the table of punishing countries", () => {
  it("has each country once, with a source and a date", () => {
    const names = new Intl.DisplayNames("en", { type: "region", fallback: "none" });
    expect(new Set(PUNISHING.map(({ country }) => country)).size).toBe(PUNISHING.length);
    expect(PUNISHING.length).toBeGreaterThan(60);
    for (const { country, source, date, kind, box } of PUNISHING) {
      expect(names.of(country)).toBeDefined();
      expect(source).not.toBe("");
      expect(date).toMatch(/^\d{4}-\d\d-\d\d$/);
      expect(box !== undefined).toBe(kind === "regional");
    }
    expect(findPunishingCountry("UG")).toMatchObject({ maximum: "death" });
    expect(findPunishingCountry("US")).toBeUndefined();
    expect(findPunishingCountry(undefined)).toBeUndefined();
  });

  it("warns if the table was never reviewed, or more than a year ago", async () => {
    expect(reviewWarning(Date.parse("2026-11-23"))).toContain("nobody has compared it");
    vi.doMock("./data/punishing-countries.ts", () => ({
      PUNISHING_COUNTRIES: [],
      REVIEWED_ON: "2027-01-01",
      WRITTEN_ON: "2026-11-22",
    }));
    vi.resetModules();
    const reviewed = await import("./punishing.ts");
    expect(reviewed.reviewWarning(Date.parse("2027-12-31"))).toBeUndefined();
    expect(reviewed.reviewWarning(Date.parse("2028-01-10"))).toContain("374 days ago");
  });
});
