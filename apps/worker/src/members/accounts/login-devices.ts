/**
 * Two cookies that prove what a device did before: requested a login link, or logged in to an account. Both are signed
 * for one address with a server key; nothing is stored on the server, and neither cookie logs anybody in.
 */
import { timingSafeEqual } from "node:crypto";
import { DEVICE_KNOWN_MS, LOGIN_CODE_TTL_MS } from "@lambda/contract/limits";
import type { Context } from "../../platform/context.ts";
import { DEVICE_COOKIE, LOGIN_REQUEST_COOKIE, readCookie, setHttpOnlyCookie } from "../../platform/http/cookies.ts";
import { newToken } from "../sessions/tokens.ts";

/** Marks the device that requests a link to an address, whether or not an account has that address. */
export async function markLinkRequested(ctx: Context, email: string): Promise<void> {
  const until = ctx.now + LOGIN_CODE_TTL_MS;
  setHttpOnlyCookie(
    ctx.responseHeaders,
    LOGIN_REQUEST_COOKIE,
    `${until}.${await sign(ctx, "asked", String(until), email)}`,
    LOGIN_CODE_TTL_MS / 1000,
  );
}

export async function hasRequestedLink(ctx: Context, email: string): Promise<boolean> {
  const [until = "", signature = ""] = (readCookie(ctx.request, LOGIN_REQUEST_COOKIE) ?? "").split(".");
  return Number(until) > ctx.now && isEqual(signature, await sign(ctx, "asked", until, email));
}

/**
 * Marks a device that just logged in. A device that is already marked keeps its id, under which its attempts are
 * counted.
 */
export async function markKnownDevice(ctx: Context, email: string): Promise<void> {
  const device = (await findKnownDevice(ctx, email)) ?? newToken();
  setHttpOnlyCookie(
    ctx.responseHeaders,
    DEVICE_COOKIE,
    `${device}.${await sign(ctx, "device", device, email)}`,
    DEVICE_KNOWN_MS / 1000,
  );
}

/** Returns the device's id if it has logged in to this address's account before. */
export async function findKnownDevice(ctx: Context, email: string): Promise<string | undefined> {
  const [device = "", signature = ""] = (readCookie(ctx.request, DEVICE_COOKIE) ?? "").split(".");
  return device !== "" && isEqual(signature, await sign(ctx, "device", device, email)) ? device : undefined;
}

/** Uses the position key with a label for each purpose, so that a value signed for one is invalid for any other. */
async function sign(ctx: Context, purpose: "asked" | "device", value: string, email: string): Promise<string> {
  const encoder = new TextEncoder();
  const secret = encoder.encode(`login-${purpose}:${ctx.env.POSITION_KEY}`);
  const key = await crypto.subtle.importKey("raw", secret, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  const signed = await crypto.subtle.sign("HMAC", key, encoder.encode(JSON.stringify([ctx.brand.id, value, email])));
  return Buffer.from(signed).toString("base64url");
}

function isEqual(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
