import { navigate } from "wouter/use-browser-location";

const RETURN_TO = "return-to";

/** Goes to an address of this site; for code outside of components. */
export function goTo(path: string, options?: { replace?: boolean }): void {
  navigate(path, options);
}

/**
 * Remembers where somebody wanted to go before being asked to log in; the tab's memory only. Of a member whose session ended, it is
 * for that member alone: it may name a chat partner.
 */
export function rememberReturn(path: string, account = 0): void {
  try {
    sessionStorage.setItem(RETURN_TO, JSON.stringify({ path, account }));
  } catch {
    // The visit then starts at home.
  }
}

/** Where the member who has just logged in is to go; asked once. */
export function takeReturn(account: number): string {
  try {
    const kept = JSON.parse(sessionStorage.getItem(RETURN_TO) ?? "{}");
    sessionStorage.removeItem(RETURN_TO);
    if (kept.account !== 0 && kept.account !== account) return "/";
    // One slash only: "//host" would leave this site.
    return /^\/(?!\/)/.test(kept.path) ? kept.path : "/";
  } catch {
    return "/";
  }
}
