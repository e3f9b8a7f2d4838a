import { expect, it } from "vitest";
import { planClosing } from "./closing.ts";

const NOW = Date.parse("2026-11-26T15:00:00Z");

it("takes days that leave every member 30 days, and nothing else", () => {
  expect(planClosing("2026-12-27", "", NOW).value).toBe("2026-12-27");
  for (const day of ["2026-12-26", "2026-11-01"]) {
    expect(() => planClosing(day, "", NOW)).toThrow("2026-12-27 is the first possible day");
  }
  for (const day of ["2027-02-30", "tomorrow", "2027-1-1", " "])
    expect(() => planClosing(day, "", NOW)).toThrow("2026-12-31");
  expect(planClosing("off", "2026-12-27", NOW).value).toBe("");
  const { value, says } = planClosing(undefined, "2026-12-27", NOW);
  expect(value).toBe("2026-12-27");
  expect(says).toMatch(
    /^The site closes on 2026-12-27\. .* in Durable Objects .* Deleting the worker erases all objects\.$/,
  );
});
