/** The session's cookie: unreadable by scripts, bound to this host by its prefix. */
export const SESSION_COOKIE = "__Host-session";
/** Tells the client that it is logged in; holds no secret. */
export const LOGGED_IN_COOKIE = "logged_in";

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

/** Of a member who logs out: with the session go the pictures he saw, which the browser keeps on its disk to ask about again. */
export function clearSessionCookies(headers: Headers): void {
  headers.set("clear-site-data", '"cache"');
  headers.append("set-cookie", `${SESSION_COOKIE}=; Path=/; HttpOnly; Secure; SameSite=Lax; Max-Age=0`);
  headers.append("set-cookie", `${LOGGED_IN_COOKIE}=; Path=/; Secure; SameSite=Lax; Max-Age=0`);
}
