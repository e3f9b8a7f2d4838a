import type { Env } from "../../env.ts";
import { AppError } from "../../errors.ts";

/**
 * Counts one hit of `name` and throws TOO_MANY_REQUESTS, with the seconds to wait, when `max` in `windowMs` is used up.
 * The object is named by a hash, so that no address can be read off it.
 */
export async function limit(env: Env, name: string, max: number, windowMs: number): Promise<void> {
  const wait = await (await limiterOf(env, name)).hit(max, windowMs);
  if (wait > 0) throw new AppError("TOO_MANY_REQUESTS", { retryAfterSeconds: Math.ceil(wait / 1000) });
}

export async function clearLimit(env: Env, name: string): Promise<void> {
  await (await limiterOf(env, name)).clear();
}

async function limiterOf(env: Env, name: string) {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(name)));
  return env.RATE_LIMITER.getByName(Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join(""));
}
