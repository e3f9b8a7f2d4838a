import { LOGIN_REDIRECT_MS } from "@lambda/contract/limits";
import { trpcClient } from "../../api/client.ts";
import { queryClient } from "../../api/query-client.ts";
import { writeDeviceValue } from "../../device/device-storage.ts";
import { LOGIN_TICKET } from "../../device/login-ticket.ts";
import { resumeReporting } from "../../device/reporting.ts";
import { currentAddress } from "../../routing/address.ts";
import { goTo, takeReturnPath } from "../../routing/navigation.ts";

/** Opens the page the member wanted before the login, else the home page. */
export function continueAfterLogin(): void {
  // Lets other tabs that wait for the login mail continue too.
  writeDeviceValue(LOGIN_TICKET, null);
  const from = currentAddress().pathname;
  const session = trpcClient.accounts.session.query().catch(() => undefined);
  setTimeout(async () => {
    queryClient.clear();
    resumeReporting();
    const account = (await session)?.profileId ?? 0;
    if (currentAddress().pathname === from) goTo(takeReturnPath(account), { replace: true });
  }, LOGIN_REDIRECT_MS);
}
