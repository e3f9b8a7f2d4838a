import { plainCookieName, UNLOCKED_COOKIE } from "@lambda/contract/headers";

/** Whether cookies have the names and attributes of production. */
const isSecure = () => location.protocol === "https:";

const nameOf = (name: string) => (isSecure() ? name : plainCookieName(name));

/** @param maxAge in seconds; undefined ends with the browser, and 0 deletes the cookie */
export function writeCookie(name: string, value: string, maxAge?: number): void {
  const lifetime = maxAge === undefined ? "" : `; Max-Age=${maxAge}`;
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is asynchronous and missing in older browsers
  document.cookie = `${nameOf(name)}=${value}; Path=/; SameSite=Lax${isSecure() ? "; Secure" : ""}${lifetime}`;
}

export const expireCookie = (name: string): void => writeCookie(name, "", 0);

export function expireCookies(): void {
  for (const cookie of document.cookie.split(";")) expireCookie(cookie.split("=")[0]?.trim() ?? "");
}

/** Whether this device shows the server the secret that it needs while an app lock is open. */
export const hasUnlockedSecret = (): boolean => document.cookie.includes(`${nameOf(UNLOCKED_COOKIE)}=`);
