/**
 * Two cookies by which a device shows what it did before: that it asked for a login link, and that it has logged in to an account.
 * Both are sealed for one address with a key of the server; nothing of them is stored, and neither logs anybody in.
 */
import { timingSafeEqual } from "node:crypto";
import { DEVICE_KNOWN_MS, LOGIN_CODE_TTL_MS } from "@lambda/contract/limits";
import type { Context } from "../../platform/context.ts";
import { ASKED_COOKIE, DEVICE_COOKIE, readCookie, setHiddenCookie } from "../../platform/http/cookies.ts";
import { newToken } from "../sessions/tokens.ts";

/** Marks the device that asks for a link to an address; the same whether or not somebody has that address. */
export async function markAsking(ctx: Context, email: string): Promise<void> {
  const until = ctx.now + LOGIN_CODE_TTL_MS;
  setHiddenCookie(
    ctx.responseHeaders,
    ASKED_COOKIE,
    `${until}.${await seal(ctx, "asked", String(until), email)}`,
    LOGIN_CODE_TTL_MS / 1000,
  );
}

export async function hasAsked(ctx: Context, email: string): Promise<boolean> {
  const [until = "", mark = ""] = (readCookie(ctx.request, ASKED_COOKIE) ?? "").split(".");
  return Number(until) > ctx.now && equal(mark, await seal(ctx, "asked", until, email));
}

/** Marks a device that just logged in; one that has the mark keeps its name, by which its tries are counted. */
export async function markKnown(ctx: Context, email: string): Promise<void> {
  const device = (await knownDevice(ctx, email)) ?? newToken();
  setHiddenCookie(
    ctx.responseHeaders,
    DEVICE_COOKIE,
    `${device}.${await seal(ctx, "device", device, email)}`,
    DEVICE_KNOWN_MS / 1000,
  );
}

/** The name of the asking device if it has logged in to this address's account before. */
export async function knownDevice(ctx: Context, email: string): Promise<string | undefined> {
  const [device = "", mark = ""] = (readCookie(ctx.request, DEVICE_COOKIE) ?? "").split(".");
  return device !== "" && equal(mark, await seal(ctx, "device", device, email)) ? device : undefined;
}

/** The positions' key serves here too: what it signs begins with another word, so that neither can stand for the other. */
async function seal(ctx: Context, purpose: "asked" | "device", value: string, email: string): Promise<string> {
  const encoder = new TextEncoder();
  const secret = encoder.encode(`login-${purpose}:${ctx.env.POSITION_KEY}`);
  const key = await crypto.subtle.importKey("raw", secret, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  const signed = await crypto.subtle.sign("HMAC", key, encoder.encode(JSON.stringify([ctx.brand.id, value, email])));
  return Buffer.from(signed).toString("base64url");
}

function equal(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
