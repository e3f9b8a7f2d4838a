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
  const index = readFileSync(new URL("../index.ts", import.meta.url).pathname, "utf8");
  expect(index.indexOf("requireKeys(c.env)")).toBeLessThan(index.indexOf("createContext(c.req.raw"));
});
