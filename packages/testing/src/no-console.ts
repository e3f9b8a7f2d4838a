import { afterEach, beforeEach, expect, vi } from "vitest";

/** Set up for every test file: unexpected console output is a failure. */
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
