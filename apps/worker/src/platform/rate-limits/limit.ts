import { QUOTAS, type QuotaName } from "@lambda/contract/quotas";
import type { Context } from "../context.ts";
import type { Env } from "../env.ts";
import { AppError, quotaUsedUp } from "../errors.ts";

/**
 * Counts one hit of `name` and throws TOO_MANY_REQUESTS, with the seconds to wait, when `max` in `windowMs` is used up.
 * The object is named by a hash, so that no address can be read off it.
 */
export async function limit(env: Env, name: string, max: number, windowMs: number): Promise<void> {
  const wait = await hit(env, name, max, windowMs);
  if (wait > 0) throw new AppError("TOO_MANY_REQUESTS", { retryAfterSeconds: Math.ceil(wait / 1000) });
}

/**
 * Counts what a member does against their quotas, all of them or none, in one request to their object for this `kind`. Throws
 * TOO_MANY_REQUESTS with the quota's name and the seconds to wait.
 */
export async function spend(
  { env, quotas }: Pick<Context, "env" | "quotas">,
  kind: string,
  profileId: number,
  amounts: Partial<Record<QuotaName, number>>,
): Promise<void> {
  // A day's quota is no matter of seeds and benches; what is counted by the minute holds for them too.
  const charges = (Object.entries(amounts) as [QuotaName, number][])
    .map(([name, amount]) => ({ name, amount, max: QUOTAS[name].max, windowMs: QUOTAS[name].windowMs }))
    .filter(({ name }) => quotas || BY_THE_MINUTE.has(name));
  if (charges.length === 0) return;
  const refusal = await (await limiterOf(env, `${kind}:${profileId}`)).spend(charges);
  if (refusal) throw quotaUsedUp(refusal.name as QuotaName, refusal.waitMs);
}

const BY_THE_MINUTE: ReadonlySet<QuotaName> = new Set([
  "messagesPerMinute",
  "broadcasts",
  "likesPerMinute",
  "uploadsPerHour",
]);

/** The same as an answer, for what must not be told to who asks. */
export async function isWithinLimit(env: Env, name: string, max: number, windowMs: number): Promise<boolean> {
  return (await hit(env, name, max, windowMs)) === 0;
}

/** An object that a deployment has just replaced refuses one call and answers the next. */
async function hit(env: Env, name: string, max: number, windowMs: number): Promise<number> {
  try {
    return await (await limiterOf(env, name)).hit(max, windowMs);
  } catch {
    return await (await limiterOf(env, name)).hit(max, windowMs);
  }
}

/**
 * Counts one hit for the network that asks, and for the IPv6 site that it is a part of. Throws TOO_MANY_REQUESTS when either has
 * used up its share.
 */
export async function limitNetwork(
  ctx: Pick<Context, "env" | "ip" | "site">,
  name: string,
  max: { readonly network: number; readonly site: number },
  windowMs: number,
): Promise<void> {
  const factor = capsFactor(ctx.env);
  await limit(ctx.env, `${name}:${ctx.ip}`, max.network * factor, windowMs);
  if (ctx.site !== undefined) await limit(ctx.env, `${name}:${ctx.site}`, max.site * factor, windowMs);
}

/** At most this: what is beyond it would be no cap. */
const CAPS_FACTOR_MAX = 20;

/** A word that is no number changes nothing. */
export function capsFactor({ NETWORK_CAPS_FACTOR }: Pick<Env, "NETWORK_CAPS_FACTOR">): number {
  const factor = Math.floor(Number(NETWORK_CAPS_FACTOR ?? 1));
  return factor >= 1 ? Math.min(factor, CAPS_FACTOR_MAX) : 1;
}

export async function clearLimit(env: Env, name: string): Promise<void> {
  await (await limiterOf(env, name)).clear();
}

export async function limiterOf(env: Env, name: string) {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(name)));
  return env.RATE_LIMITER.getByName(Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join(""));
}
