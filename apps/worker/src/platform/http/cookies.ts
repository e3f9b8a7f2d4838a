import { UNLOCKED_COOKIE } from "@lambda/contract/headers";
import { parse, serialize } from "hono/utils/cookie";
import { sha256 } from "../hash.ts";

/** The session cookie: unreadable by scripts, and bound to this host by its prefix. */
export const SESSION_COOKIE = "__Host-session";
/** Tells scripts that the device is logged in; contains no secret. */
export const LOGGED_IN_COOKIE = "logged_in";

/** Keyed hash of the address for which this device requested a login link some minutes ago (login-devices.ts). */
export const LOGIN_REQUEST_COOKIE = "__Host-asked";
/** Marks a device that logged in before, and to which account (login-devices.ts). */
export const DEVICE_COOKIE = "__Host-device";
/** Ticket of a visitor's age proof, until they register (accounts/age). */
export const AGE_COOKIE = "__Host-age";
/** Keyed hashes of the accounts used on this device (visibility/bans/marks.ts). */
export const USED_ACCOUNTS_COOKIE = "__Host-used";
/** Where this session last wrote, for some seconds (platform/replication/write-cookie.ts). */
export const WRITE_COOKIE = "__Host-wrote";

const SITE = { path: "/", secure: true, sameSite: "Lax" } as const;
const HTTP_ONLY = { ...SITE, httpOnly: true } as const;

/** Parsed once, because each call reads several. */
const cookies = new WeakMap<Request, Readonly<Record<string, string>>>();

export function readCookie(request: Request, name: string): string | undefined {
  const parsed = cookies.get(request) ?? parse(request.headers.get("cookie") ?? "");
  cookies.set(request, parsed);
  return parsed[name];
}

/** The hash of the secret that a device shows while its app lock is open; null without one. */
export async function unlockHashOf(request: Request): Promise<string | null> {
  const secret = readCookie(request, UNLOCKED_COOKIE);
  return secret === undefined || !/^[\w-]{43}$/.test(secret) ? null : sha256(secret);
}

/** Sets both cookies; `maxAge` in seconds, or undefined to end with the browser session. */
export function setSessionCookies(headers: Headers, token: string, maxAge: number | undefined): void {
  const lifetime = maxAge === undefined ? {} : { maxAge };
  headers.append("set-cookie", serialize(SESSION_COOKIE, token, { ...HTTP_ONLY, ...lifetime }));
  headers.append("set-cookie", serialize(LOGGED_IN_COOKIE, "1", { ...SITE, ...lifetime }));
}

/** Sets a cookie that scripts cannot read; `maxAge` in seconds. */
export function setHttpOnlyCookie(headers: Headers, name: string, value: string, maxAge: number): void {
  headers.append("set-cookie", serialize(name, value, { ...HTTP_ONLY, maxAge }));
}

/** Clears the cookies of a session, and the browser's cache with its pictures. */
export function clearSessionCookies(headers: Headers): void {
  headers.set("clear-site-data", '"cache"');
  for (const name of [SESSION_COOKIE, LOGIN_REQUEST_COOKIE, DEVICE_COOKIE, AGE_COOKIE, WRITE_COOKIE])
    setHttpOnlyCookie(headers, name, "", 0);
  for (const name of [LOGGED_IN_COOKIE, UNLOCKED_COOKIE])
    headers.append("set-cookie", serialize(name, "", { ...SITE, maxAge: 0 }));
}
