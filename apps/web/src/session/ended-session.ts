import { GEO_ACCOUNT } from "../device/account-key.ts";
import { readDevice } from "../device/device-storage.ts";
import { wipeMember } from "../device/wipe.ts";
import { goTo, rememberReturn } from "../routing/navigation.ts";
import { pauseReporting } from "./reporting.ts";
import { knownAccount } from "./session.ts";

/** The session is over, as an answer told. Stops reporting, forgets the member's data, asks him to log in. */
export function onSessionEnded(): void {
  pauseReporting();
  const { pathname, search, hash } = location;
  const account = knownAccount() || readDevice(GEO_ACCOUNT);
  void wipeMember();
  if (pathname === "/login") return;
  if (pathname !== "/logout") rememberReturn(pathname + search + hash, account);
  goTo("/login");
}
