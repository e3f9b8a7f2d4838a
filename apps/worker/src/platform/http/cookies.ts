import { parse, serialize } from "hono/utils/cookie";

/** The session's cookie: unreadable by scripts, bound to this host by its prefix. */
export const SESSION_COOKIE = "__Host-session";
/** Tells the client that it is logged in; holds no secret. */
export const LOGGED_IN_COOKIE = "logged_in";

/** Says for some minutes that this device asked for a login link, and for whom (login-devices.ts). */
export const ASKED_COOKIE = "__Host-asked";
/** Says that this device has logged in before, and to which account (login-devices.ts). */
export const DEVICE_COOKIE = "__Host-device";
/** Names the proof of age of a visitor who wants to join (members/age). */
export const AGE_COOKIE = "__Host-age";
/**
 * Which accounts this device has used, as keyed hashes (members/bans/marks.ts). It stays when a member logs out: a ban would else hold
 * until the next logout.
 */
export const BAN_COOKIE = "__Host-used";
/** Says for some seconds in which region of the world this session wrote last (platform/near). */
export const WROTE_COOKIE = "__Host-wrote";

const OWN_SITE = { path: "/", secure: true, sameSite: "Lax" } as const;
const HIDDEN = { ...OWN_SITE, httpOnly: true } as const;

export function readCookie(request: Request, name: string): string | undefined {
  return parse(request.headers.get("cookie") ?? "", name)[name];
}

/** Sets both cookies; `maxAge` in seconds, undefined makes them end with the browser session. */
export function setSessionCookies(headers: Headers, token: string, maxAge: number | undefined): void {
  const lifetime = maxAge === undefined ? {} : { maxAge };
  headers.append("set-cookie", serialize(SESSION_COOKIE, token, { ...HIDDEN, ...lifetime }));
  headers.append("set-cookie", serialize(LOGGED_IN_COOKIE, "1", { ...OWN_SITE, ...lifetime }));
}

/** A cookie that no script reads. */
export function setHiddenCookie(headers: Headers, name: string, value: string, maxAge: number): void {
  headers.append("set-cookie", serialize(name, value, { ...HIDDEN, maxAge }));
}

/** For a logout: with the session go the pictures that the browser keeps on its disk to ask about again. */
export function clearSessionCookies(headers: Headers): void {
  headers.set("clear-site-data", '"cache"');
  for (const name of [SESSION_COOKIE, ASKED_COOKIE, DEVICE_COOKIE, AGE_COOKIE]) setHiddenCookie(headers, name, "", 0);
  headers.append("set-cookie", serialize(LOGGED_IN_COOKIE, "", { ...OWN_SITE, maxAge: 0 }));
}
