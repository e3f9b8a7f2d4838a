import { navigate } from "wouter/use-browser-location";

const RETURN_TO = "return-to";

/** Goes to an address of this site; for code outside of components. */
export function goTo(path: string, options?: { replace?: boolean }): void {
  navigate(path, options);
}

/** Remembers where a visitor wanted to go before he is asked to log in; the tab's memory only. */
export function rememberReturn(path: string): void {
  try {
    sessionStorage.setItem(RETURN_TO, path);
  } catch {
    // He starts at home then.
  }
}

/** Where to go after login; asked once. */
export function takeReturn(): string {
  try {
    const path = sessionStorage.getItem(RETURN_TO);
    sessionStorage.removeItem(RETURN_TO);
    // One slash only: "//host" would leave this site.
    return path && /^\/(?!\/)/.test(path) ? path : "/";
  } catch {
    return "/";
  }
}
