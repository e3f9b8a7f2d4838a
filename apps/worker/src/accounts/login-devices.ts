/**
 * Two cookies that prove what a device did before: requested a login link to an address, or logged in to an account of a
 * mailbox. Both are signed with a server key; nothing is stored on the server, and neither cookie logs anybody in.
 */
import { DEVICE_KNOWN_MS, LOGIN_CODE_TTL_MS } from "@lambda/contract/limits";
import { canonicalAddress } from "@lambda/contract/typed";
import type { Context } from "../platform/context.ts";
import { DEVICE_COOKIE, LOGIN_REQUEST_COOKIE, readCookie, setHttpOnlyCookie } from "../platform/http/cookies.ts";
import { mac } from "../platform/keys.ts";
import { isEqualInConstantTime } from "../platform/mac.ts";
import { mailboxOf } from "./mailbox.ts";
import { newToken } from "./sessions/tokens.ts";

/**
 * Marks the device that requests a link to an address, whether or not an account has that address. A link to another address of the
 * mailbox, such as one with a tag, needs a confirmation, which shows it.
 */
export function markLinkRequested(ctx: Context, email: string): void {
  const until = ctx.now + LOGIN_CODE_TTL_MS;
  setHttpOnlyCookie(
    ctx.responseHeaders,
    LOGIN_REQUEST_COOKIE,
    `${until}.${sign(ctx, "login-asked", String(until), canonicalAddress(email))}`,
    LOGIN_CODE_TTL_MS / 1000,
  );
}

export function hasRequestedLink(ctx: Context, email: string): boolean {
  const [until = "", signature = ""] = (readCookie(ctx.request, LOGIN_REQUEST_COOKIE) ?? "").split(".");
  const expected = sign(ctx, "login-asked", until, canonicalAddress(email));
  return Number(until) > ctx.now && isEqualInConstantTime(signature, expected);
}

/**
 * Marks a device that just logged in and returns its id. A device that is already marked keeps its id, under which its
 * attempts are counted.
 */
export function markKnownDevice(ctx: Context, email: string): string {
  const device = findKnownDevice(ctx, email) ?? newToken();
  setHttpOnlyCookie(
    ctx.responseHeaders,
    DEVICE_COOKIE,
    `${device}.${sign(ctx, "login-device", device, mailboxOf(email))}`,
    DEVICE_KNOWN_MS / 1000,
  );
  return device;
}

/** Returns the device's id if it has logged in to an account of this address's mailbox before. */
export function findKnownDevice(ctx: Context, email: string): string | undefined {
  const [device = "", signature = ""] = (readCookie(ctx.request, DEVICE_COOKIE) ?? "").split(".");
  return device !== "" && isEqualInConstantTime(signature, sign(ctx, "login-device", device, mailboxOf(email)))
    ? device
    : undefined;
}

function sign({ env, brand }: Context, purpose: "login-asked" | "login-device", value: string, address: string) {
  return mac(env, purpose, JSON.stringify([brand.id, value, address])).toString("base64url");
}
