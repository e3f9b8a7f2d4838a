import { getAgePolicyRow, parseAgePolicy, SHIPPED_ROWS } from "@lambda/contract/age-policy";
import { describe, expect, it } from "vitest";

const rule = (country?: string, region?: string, own?: string) =>
  getAgePolicyRow(parseAgePolicy(own), country, region).seeExplicit;
const row = (changes: object) => ({
  place: "DE",
  join: "closed",
  seeExplicit: "closed",
  source: "The operator",
  date: "2026-11-22",
  ...changes,
});

describe("the shipped table", () => {
  it("requires a proof in the United Kingdom, Australia and US states such as Texas, and nowhere else", () => {
    expect(rule("GB")).toBe("proof");
    expect(rule("AU")).toBe("proof");
    expect(rule("US", "TX")).toBe("proof");
    expect(rule("US", "NY")).toBe("open");
    expect(rule("US")).toBe("open");
    // A region of another country is not a US state.
    expect(rule("IT", "TX")).toBe("open");
    expect(rule(undefined)).toBe("open");
  });

  it("lists each place once with a source and a date, and closes none", () => {
    expect(new Set(SHIPPED_ROWS.map(({ place }) => place)).size).toBe(SHIPPED_ROWS.length);
    for (const { join, seeExplicit, source, date } of SHIPPED_ROWS) {
      expect([join, seeExplicit]).not.toContain("closed");
      expect(source.length).toBeGreaterThan(3);
      expect(date).toMatch(/^\d{4}-\d\d-\d\d$/);
    }
  });
});

describe("an operator's table", () => {
  it("overrides the shipped rows and changes the version", () => {
    const own = JSON.stringify([row({ place: "US-TX" }), row({ place: "*", join: "open", seeExplicit: "proof" })]);
    expect(rule("US", "TX", own)).toBe("closed");
    expect(rule("FR", undefined, own)).toBe("proof");
    expect(rule("GB", undefined, own)).toBe("proof");
    expect(parseAgePolicy(own).version).not.toBe(parseAgePolicy("").version);
    expect(parseAgePolicy(own).version).toBe(parseAgePolicy(own).version);
  });

  it.each([
    ["{", /AGE_POLICY is no JSON/],
    ['{"place":"DE"}', /must be a list/],
    [JSON.stringify([row({}), row({ place: "Germany" })]), /row 2 \("Germany"\): place is no country/],
    [JSON.stringify([row({ join: "never" })]), /row 1 \("DE"\): join /],
    [JSON.stringify([row({ source: "" })]), /row 1 \("DE"\): source /],
    [JSON.stringify([row({ date: "yesterday" })]), /row 1 \("DE"\): date /],
    [JSON.stringify([row({}), row({})]), /row 2 \("DE"\): this place has a row before/],
    [JSON.stringify([row({ see: "open" })]), /row 1 \("DE"\)/],
    ["[7]", /row 1: /],
  ])("rejects %s and names the row", (text, message) => {
    expect(() => parseAgePolicy(text)).toThrow(message);
  });
});
