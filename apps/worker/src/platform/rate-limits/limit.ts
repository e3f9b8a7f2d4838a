import { QUOTAS, type QuotaName } from "@lambda/contract/quotas";
import { waitText } from "@lambda/contract/wait-text";
import { callAfterCommit, callObject } from "../call-object.ts";
import type { Context } from "../context.ts";
import type { Env } from "../env.ts";
import { AppError, quotaExceeded } from "../errors.ts";
import { sha256 } from "../hash.ts";
import type { Charge, RateLimiterApi } from "../objects.ts";

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

/** The same for a call that does something: if it is refused or fails, the hit is given back. */
export async function spendLimit(
  { env, undo }: Pick<Context, "env" | "undo">,
  name: string,
  max: number,
  windowMs: number,
): Promise<void> {
  await enforceLimit(env, name, max, windowMs);
  undo.push(() => giveBack(env, name, ONE_HIT));
}

export const ONE_HIT = [{ name: "window", amount: 1 }];

export function tooManyRequests(waitMs: number): AppError {
  const retryAfterSeconds = Math.ceil(waitMs / 1000);
  const message = `Too many tries. Please wait ${waitText(retryAfterSeconds, "en")}.`;
  return new AppError("TOO_MANY_REQUESTS", { message, retryAfterSeconds });
}

/**
 * Counts amounts against a member's quotas, all or none, in one call to the member's object for this `kind`. Throws TOO_MANY_REQUESTS with the
 * quota's name and the seconds to wait.
 */
export async function spendQuota(
  { env, quotas, undo }: Pick<Context, "env" | "quotas"> & Partial<Pick<Context, "undo">>,
  kind: string,
  profileId: number,
  amounts: Partial<Record<QuotaName, number>>,
): Promise<void> {
  const charges = chargesOf({ quotas }, amounts);
  if (charges.length === 0) return;
  const refusal = await callObject(async () => (await getLimiter(env, `${kind}:${profileId}`)).spend(charges));
  if (refusal) throw quotaExceeded(refusal.name as QuotaName, refusal.waitMs);
  undo?.push(() => giveBackQuota(env, kind, profileId, amounts));
}

/** Daily quotas do not apply to seeds and benchmarks; those over shorter windows do. */
export const chargesOf = ({ quotas }: Pick<Context, "quotas">, amounts: Partial<Record<QuotaName, number>>): Charge[] =>
  (Object.entries(amounts) as [QuotaName, number][])
    .map(([name, amount]) => ({ name, amount, max: QUOTAS[name].max, windowMs: QUOTAS[name].windowMs }))
    .filter(({ name }) => quotas || SHORT_WINDOW_QUOTAS.has(name));

/** Takes back amounts that were counted for something that was refused, failed or undone. A lost call costs its member, and no error. */
export async function giveBackQuota(
  env: Env,
  kind: string,
  profileId: number,
  amounts: Partial<Record<QuotaName, number>>,
): Promise<void> {
  const given = Object.entries(amounts).map(([name, amount]) => ({ name, amount }));
  await giveBack(env, `${kind}:${profileId}`, given);
}

/**
 * Gives back what a call has counted that was refused or failed. Of calls in one batch nothing: one that fails on purpose would pay for the
 * others.
 */
export async function undoCounts({ undo, request }: Pick<Context, "undo" | "request">): Promise<void> {
  const steps = undo.splice(0);
  if (steps.length === 0 || /,|%2c/i.test(new URL(request.url).pathname)) return;
  await Promise.all(steps.map((step) => step()));
}

export async function giveBack(
  env: Env,
  name: string,
  amounts: Parameters<RateLimiterApi["giveBack"]>[0],
): Promise<void> {
  await callAfterCommit(async () => (await getLimiter(env, name)).giveBack(amounts));
}

const SHORT_WINDOW_QUOTAS: ReadonlySet<QuotaName> = new Set([
  "messagesPerMinute",
  "broadcasts",
  "likesPerMinute",
  "uploadsPerHour",
]);

/** As a boolean, for limits that must not be revealed to the caller. */
export async function isWithinLimit(env: Env, name: string, max: number, windowMs: number): Promise<boolean> {
  return (await countHit(env, name, max, windowMs)) === 0;
}

/** Counts one hit; returns 0, or the milliseconds to wait beyond `max`. */
export function countHit(env: Env, name: string, max: number, windowMs: number, amount = 1): Promise<number> {
  return callObject(async () => (await getLimiter(env, name)).hit(max, windowMs, amount));
}

type NetworkMax = { readonly network: number; readonly site: number };
type Client = Pick<Context, "env" | "ip" | "site">;

/**
 * Counts one hit for the client's network and for the IPv6 site that contains it. Throws TOO_MANY_REQUESTS when either exceeds its limit:
 * only for calls that are wrong in themselves, as strangers may share the network.
 */
export async function limitNetwork(ctx: Client, name: string, max: NetworkMax, windowMs: number): Promise<void> {
  const waitMs = await hitNetwork(ctx, name, max, windowMs);
  if (waitMs > 0) throw tooManyRequests(waitMs);
}

/** Takes one hit back. */
export async function giveBackNetwork({ env, ip, site }: Client, name: string): Promise<void> {
  const names = [ip, site].flatMap((network) => (network === undefined ? [] : [`${name}:${network}`]));
  await Promise.all(names.map((each) => giveBack(env, each, ONE_HIT)));
}

/** Counts one hit and returns whether it is within the limits. */
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

/** Called when what was limited has succeeded, so that a failure cannot fail it. */
export async function clearLimit(env: Env, name: string): Promise<void> {
  await callAfterCommit(async () => (await getLimiter(env, name)).clear());
}

export const getLimiter = async (env: Pick<Env, "RATE_LIMITER">, name: string) =>
  env.RATE_LIMITER.getByName(await sha256(name));
