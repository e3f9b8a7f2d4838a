import { afterEach, beforeEach, expect, vi } from "vitest";

/** Setup of every test file: console errors and warnings fail the test. */
const spies = new Map<"error" | "warn", ReturnType<typeof vi.spyOn>>();

beforeEach(() => {
  for (const level of ["error", "warn"] as const) {
    spies.set(level, vi.spyOn(console, level));
  }
});

afterEach(() => {
  for (const [level, spy] of spies) {
    const calls = spy.mock.calls.map((call: unknown[]) => call.join(" "));
    spy.mockRestore();
    expect(calls, `unexpected console.${level}`).toEqual([]);
  }
});
