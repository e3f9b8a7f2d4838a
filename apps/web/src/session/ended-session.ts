import { GEO_ACCOUNT } from "../device/account-key.ts";
import { clearMemberData } from "../device/clear-local-data.ts";
import { readDeviceValue } from "../device/device-storage.ts";
import { goTo, rememberReturnPath } from "../routing/navigation.ts";
import { pauseReporting } from "./reporting.ts";
import { knownAccountId } from "./session.ts";

/** Call when a response shows that the session is over. Stops position reporting, clears the member's data and goes to the login page. */
export function onSessionEnded(): void {
  pauseReporting();
  const { pathname, search, hash } = location;
  const account = knownAccountId() || readDeviceValue(GEO_ACCOUNT);
  void clearMemberData();
  if (pathname === "/login") return;
  if (pathname !== "/logout") rememberReturnPath(pathname + search + hash, account);
  goTo("/login");
}
