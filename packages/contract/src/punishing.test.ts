import { describe, expect, it, vi } from "vitest";
import { PUNISHING, punishingCountry, reviewWarning } from "./punishing.ts";

describe("the table of countries that punish", () => {
  it("has each country once, with a source, a confidence and a date", () => {
    const names = new Intl.DisplayNames("en", { type: "region", fallback: "none" });
    expect(new Set(PUNISHING.map(({ country }) => country)).size).toBe(PUNISHING.length);
    expect(PUNISHING.length).toBeGreaterThan(60);
    for (const { country, source, date, kind, box } of PUNISHING) {
      expect(names.of(country)).toBeDefined();
      expect(source).not.toBe("");
      expect(date).toMatch(/^\d{4}-\d\d-\d\d$/);
      expect(box !== undefined).toBe(kind === "regional");
    }
    expect(punishingCountry("UG")).toMatchObject({ maximum: "death" });
    expect(punishingCountry("US")).toBeUndefined();
    expect(punishingCountry(undefined)).toBeUndefined();
  });

  it("asks for a review while there was none, and when it is older than a year", async () => {
    expect(reviewWarning(Date.parse("2026-11-23"))).toContain("nobody has compared it");
    vi.doMock("./data/punishing-countries.ts", () => ({
      PUNISHING_COUNTRIES: [],
      REVIEWED: "2027-01-01",
      WRITTEN: "2026-11-22",
    }));
    vi.resetModules();
    const reviewed = await import("./punishing.ts");
    expect(reviewed.reviewWarning(Date.parse("2027-12-31"))).toBeUndefined();
    expect(reviewed.reviewWarning(Date.parse("2028-01-10"))).toContain("374 days ago");
  });
});
