import { readFileSync } from "node:fs";
import { expect, it, vi } from "vitest";
import { requireKeys } from "./required-keys.ts";

const KEYS = { SITE_KEY: "p", HOLD_KEY: "h", VAPID_PUBLIC_KEY: "u", VAPID_PRIVATE_KEY: "v" };

it("refuses every call while a key is missing, and names it to the operator", () => {
  vi.stubGlobal("__DEVELOPMENT__", false);
  const logged = vi.spyOn(console, "error").mockImplementation(() => {});
  expect(() => requireKeys(KEYS)).not.toThrow();
  for (const name of Object.keys(KEYS)) {
    expect(() => requireKeys({ ...KEYS, [name]: "" }), name).toThrow(
      expect.objectContaining({ appCode: "UNAVAILABLE" }),
    );
    expect(logged.mock.lastCall?.[0]).toContain(`"code":"${name}"`);
  }
  logged.mockClear();
  // Before anything else that a call does.
  const steps = readFileSync(new URL("../request-steps.ts", import.meta.url).pathname, "utf8");
  const order = ['calls("keys"', 'calls("session"'].map((step) => steps.indexOf(step));
  expect(order[0]).toBeGreaterThan(0);
  expect(order[0]).toBeLessThan(order[1]!);
});
