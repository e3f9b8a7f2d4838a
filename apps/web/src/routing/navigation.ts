import { navigate } from "wouter/use-browser-location";
import { currentAddress, isAddressHidden } from "./address.ts";

export const RETURN_PATH_KEY = "return-to";

/** Navigates within this site, for code outside of components. */
export function goTo(path: string, options?: { replace?: boolean; state?: object }): void {
  navigate(path, options);
}

/**
 * Remembers in session storage where to go after the login. With an account id only that member returns there, because the path may
 * name a chat partner; under an app lock nothing is stored, for the same reason.
 */
export function rememberReturnPath(account: number): void {
  if (isAddressHidden()) return;
  const { pathname, search, hash } = currentAddress();
  try {
    sessionStorage.setItem(RETURN_PATH_KEY, JSON.stringify({ path: pathname + search + hash, account }));
  } catch {
    // Without storage the visit starts at the home page.
  }
}

/** Returns the remembered path for the member who just logged in, and forgets it. */
export function takeReturnPath(account: number): string {
  try {
    const stored = JSON.parse(sessionStorage.getItem(RETURN_PATH_KEY) ?? "{}");
    sessionStorage.removeItem(RETURN_PATH_KEY);
    if (stored.account !== 0 && stored.account !== account) return "/";
    // "//host" would leave this site.
    return /^\/(?!\/)/.test(stored.path) ? stored.path : "/";
  } catch {
    return "/";
  }
}
