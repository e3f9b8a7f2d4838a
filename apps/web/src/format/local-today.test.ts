import { expect, test } from "vitest";
import { localToday } from "./local-today.ts";

test("uses the device's time zone for today", () => {
  expect(localToday(new Date(2026, 0, 5, 23, 59))).toBe("2026-01-05");
});
