import { GEO_ACCOUNT } from "../device/account-key.ts";
import { clearMemberData } from "../device/clear-local-data.ts";
import { readDevice } from "../device/device-storage.ts";
import { goTo, rememberReturn } from "../routing/navigation.ts";
import { pauseReporting } from "./reporting.ts";
import { knownAccount } from "./session.ts";

/** The session is over, as an answer told. Stops reporting, forgets the member's data, asks for a login. */
export function onSessionEnded(): void {
  pauseReporting();
  const { pathname, search, hash } = location;
  const account = knownAccount() || readDevice(GEO_ACCOUNT);
  void clearMemberData();
  if (pathname === "/login") return;
  if (pathname !== "/logout") rememberReturn(pathname + search + hash, account);
  goTo("/login");
}
