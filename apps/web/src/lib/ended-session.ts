import { goTo, rememberReturn } from "./navigation.ts";
import { pauseReporting } from "./reporting.ts";
import { wipeMember } from "./wipe.ts";

/** A call was answered 401: the session is over. Stops reporting, forgets the member's data, asks him to log in. */
export function onSessionEnded(): void {
  pauseReporting();
  const { pathname, search, hash } = location;
  wipeMember();
  if (pathname === "/login") return;
  rememberReturn(pathname + search + hash);
  goTo("/login");
}
