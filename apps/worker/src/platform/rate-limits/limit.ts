import { QUOTAS, type QuotaName } from "@lambda/contract/quotas";
import type { Context } from "../context.ts";
import type { Env } from "../env.ts";
import { AppError, quotaExceeded } from "../errors.ts";
import { sha256 } from "../hash.ts";

/**
 * Counts one hit of `name` and throws TOO_MANY_REQUESTS, with the seconds to wait, beyond `max` per `windowMs`. The object is named by a hash,
 * so that its name reveals no address.
 */
export async function enforceLimit(env: Env, name: string, max: number, windowMs: number): Promise<void> {
  const waitMs = await countHit(env, name, max, windowMs);
  if (waitMs > 0) throw tooManyRequests(waitMs);
}

/** Throws like `enforceLimit` once `max` is used up, but counts nothing: what counts is counted when it has succeeded. */
export async function requireWithinLimit(env: Env, name: string, max: number, windowMs: number): Promise<void> {
  const waitMs = await countHit(env, name, max - 1, windowMs, 0);
  if (waitMs > 0) throw tooManyRequests(waitMs);
}

export function tooManyRequests(waitMs: number): AppError {
  return new AppError("TOO_MANY_REQUESTS", { retryAfterSeconds: Math.ceil(waitMs / 1000) });
}

/**
 * Counts amounts against a member's quotas, all or none, in one call to the member's object for this `kind`. Throws TOO_MANY_REQUESTS with the
 * quota's name and the seconds to wait.
 */
export async function spendQuota(
  { env, quotas }: Pick<Context, "env" | "quotas">,
  kind: string,
  profileId: number,
  amounts: Partial<Record<QuotaName, number>>,
): Promise<void> {
  // Daily quotas do not apply to seeds and benchmarks; those over shorter windows do.
  const charges = (Object.entries(amounts) as [QuotaName, number][])
    .map(([name, amount]) => ({ name, amount, max: QUOTAS[name].max, windowMs: QUOTAS[name].windowMs }))
    .filter(({ name }) => quotas || SHORT_WINDOW_QUOTAS.has(name));
  if (charges.length === 0) return;
  const refusal = await (await getLimiter(env, `${kind}:${profileId}`)).spend(charges);
  if (refusal) throw quotaExceeded(refusal.name as QuotaName, refusal.waitMs);
}

const SHORT_WINDOW_QUOTAS: ReadonlySet<QuotaName> = new Set([
  "messagesPerMinute",
  "broadcasts",
  "likesPerMinute",
  "uploadsPerHour",
]);

/** The same as a boolean, for limits that must not be revealed to the caller. */
export async function isWithinLimit(env: Env, name: string, max: number, windowMs: number): Promise<boolean> {
  return (await countHit(env, name, max, windowMs)) === 0;
}

/**
 * Counts one hit; returns 0, or the milliseconds to wait beyond `max`. Retries once: an object that a deployment has just reset fails one call
 * and serves the next.
 */
export async function countHit(env: Env, name: string, max: number, windowMs: number, amount = 1): Promise<number> {
  try {
    return await (await getLimiter(env, name)).hit(max, windowMs, amount);
  } catch {
    return await (await getLimiter(env, name)).hit(max, windowMs, amount);
  }
}

type NetworkMax = { readonly network: number; readonly site: number };
type Client = Pick<Context, "env" | "ip" | "site">;

/**
 * Counts one hit for the client's network and for the IPv6 site that contains it. Throws TOO_MANY_REQUESTS when either exceeds its limit.
 */
export async function limitNetwork(ctx: Client, name: string, max: NetworkMax, windowMs: number): Promise<void> {
  const waitMs = await hitNetwork(ctx, name, max, windowMs);
  if (waitMs > 0) throw tooManyRequests(waitMs);
}

/** The same as a boolean, for limits that must not be revealed to the caller. */
export async function isNetworkWithinLimit(
  ctx: Client,
  name: string,
  max: NetworkMax,
  windowMs: number,
): Promise<boolean> {
  return (await hitNetwork(ctx, name, max, windowMs)) === 0;
}

async function hitNetwork({ env, ip, site }: Client, name: string, max: NetworkMax, windowMs: number): Promise<number> {
  const factor = capsFactor(env);
  const waitMs = await countHit(env, `${name}:${ip}`, max.network * factor, windowMs);
  return waitMs > 0 || site === undefined ? waitMs : countHit(env, `${name}:${site}`, max.site * factor, windowMs);
}

/** A higher factor would make the limits meaningless. */
const CAPS_FACTOR_MAX = 20;

/** The configured factor; 1 for anything that is not a number. */
export function capsFactor({ NETWORK_CAPS_FACTOR }: Pick<Env, "NETWORK_CAPS_FACTOR">): number {
  const factor = Math.floor(Number(NETWORK_CAPS_FACTOR ?? 1));
  return factor >= 1 ? Math.min(factor, CAPS_FACTOR_MAX) : 1;
}

/** By how much the operator raised what the whole site may spend; 1 for anything that is not a number. */
export function budgetFactor({ SITE_BUDGET_FACTOR }: Pick<Env, "SITE_BUDGET_FACTOR">): number {
  const factor = Number(SITE_BUDGET_FACTOR ?? 1);
  return factor > 0 && Number.isFinite(factor) ? factor : 1;
}

export async function clearLimit(env: Env, name: string): Promise<void> {
  await (await getLimiter(env, name)).clear();
}

export const getLimiter = async (env: Pick<Env, "RATE_LIMITER">, name: string) =>
  env.RATE_LIMITER.getByName(await sha256(name));
