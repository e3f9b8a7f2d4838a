import { goTo, rememberReturn } from "./navigation.ts";
import { pauseReporting } from "./reporting.ts";
import { wipeMember } from "./wipe.ts";

/** The session is over, as an answer told. Stops reporting, forgets the member's data, asks him to log in. */
export function onSessionEnded(): void {
  pauseReporting();
  const { pathname, search, hash } = location;
  void wipeMember();
  if (pathname === "/login") return;
  if (pathname !== "/logout") rememberReturn(pathname + search + hash);
  goTo("/login");
}
