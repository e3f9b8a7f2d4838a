import { expect, it } from "vitest";
import { planClosing } from "./close-down.ts";

const NOW = Date.parse("2026-11-26T15:00:00Z");

it("takes days that leave every member 30 days, and nothing else", () => {
  expect(planClosing("2026-12-27", "", NOW).value).toBe("2026-12-27");
  for (const day of ["2026-12-26", "2026-11-01", "27.12.2026", "tomorrow", "2027-1-1", " "])
    expect(() => planClosing(day, "", NOW)).toThrow("2026-12-27 is the first possible");
  expect(() => planClosing("2027-02-30", "", NOW)).toThrow("2027-02-30");
});

it("is called off until its day, and no longer", () => {
  expect(planClosing("off", "2026-12-27", NOW)).toMatchObject({ value: "", says: expect.stringContaining("mail") });
  for (const word of ["off", "2027-03-01"])
    expect(() => planClosing(word, "2026-11-26", NOW)).toThrow("closed on 2026-11-26, and nothing can be called off");
});
