import type { Env } from "./env.ts";
import { AppError } from "./errors.ts";
import { logFault } from "./log.ts";

const REQUIRED = ["SITE_KEY", "HOLD_KEY", "VAPID_PUBLIC_KEY", "VAPID_PRIVATE_KEY"] as const;

/**
 * Refuses every call while a key is missing: without it some calls would fail late and others would store what cannot be read again. The
 * smoke test of a deployment asks for /api/version, so that such a version is taken back.
 */
export function requireKeys(env: Pick<Env, (typeof REQUIRED)[number]>): void {
  const missing = REQUIRED.filter((name) => !env[name]);
  if (missing.length === 0) return;
  logFault({ event: "keys", code: missing.join(" ") }, new Error("keys are not set"));
  throw new AppError("UNAVAILABLE");
}
