import { GEO_ACCOUNT } from "../device/account-key.ts";
import { clearMemberData } from "../device/clear-local-data.ts";
import { hasUnlockedSecret } from "../device/cookies.ts";
import { readDeviceValue, storedNames } from "../device/device-storage.ts";
import { pauseReporting } from "../device/reporting.ts";
import { currentAddress } from "../routing/address.ts";
import { goTo, rememberReturnPath } from "../routing/navigation.ts";
import { knownAccountId } from "./page-account.ts";

/** Whether this page lost what opens its locked session, because another tab of this device was locked or left. */
const isLocked = () => storedNames().includes("lock") && !hasUnlockedSecret();

/** Call when the server says LOCKED. A session that the PIN cannot open either is ended, so that the member can log in again. */
export function onLocked(): void {
  if (isLocked()) location.reload();
  else goTo("/logout");
}

/** Call when a response shows that the session is over. Stops position reporting, clears the member's data and goes to the login page. */
export function onSessionEnded(): void {
  if (isLocked()) {
    location.reload();
    return;
  }
  pauseReporting();
  const { pathname } = currentAddress();
  const account = knownAccountId() || readDeviceValue(GEO_ACCOUNT);
  void clearMemberData();
  if (pathname === "/login") return;
  if (pathname !== "/logout") rememberReturnPath(account);
  goTo("/login");
}
