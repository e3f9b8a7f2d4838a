/** The session's cookie: unreadable by scripts, bound to this host by its prefix. */
export const SESSION_COOKIE = "__Host-session";
/** Tells the client that it is logged in; holds no secret. */
export const LOGGED_IN_COOKIE = "logged_in";

/** Says for some minutes that this device asked for a login link, and for whom (login-devices.ts). */
export const ASKED_COOKIE = "__Host-asked";
/** Says that this device has logged in before, and to which account (login-devices.ts). */
export const DEVICE_COOKIE = "__Host-device";

export function readCookie(request: Request, name: string): string | undefined {
  for (const part of (request.headers.get("cookie") ?? "").split(";")) {
    const [key, ...value] = part.trim().split("=");
    if (key === name) return value.join("=");
  }
  return undefined;
}

/** Sets both cookies; `maxAgeSeconds` undefined makes them end with the browser session. */
export function setSessionCookies(headers: Headers, token: string, maxAgeSeconds: number | undefined): void {
  const age = maxAgeSeconds === undefined ? "" : `; Max-Age=${maxAgeSeconds}`;
  headers.append("set-cookie", `${SESSION_COOKIE}=${token}; Path=/; HttpOnly; Secure; SameSite=Lax${age}`);
  headers.append("set-cookie", `${LOGGED_IN_COOKIE}=1; Path=/; Secure; SameSite=Lax${age}`);
}

/** A cookie that no script reads. */
export function setHiddenCookie(headers: Headers, name: string, value: string, maxAgeSeconds: number): void {
  headers.append("set-cookie", `${name}=${value}; Path=/; HttpOnly; Secure; SameSite=Lax; Max-Age=${maxAgeSeconds}`);
}

/** A member who logs out loses the pictures they saw too, which the browser keeps on its disk. */
export function clearSessionCookies(headers: Headers): void {
  headers.set("clear-site-data", '"cache"');
  for (const name of [SESSION_COOKIE, ASKED_COOKIE, DEVICE_COOKIE]) setHiddenCookie(headers, name, "", 0);
  headers.append("set-cookie", `${LOGGED_IN_COOKIE}=; Path=/; Secure; SameSite=Lax; Max-Age=0`);
}
