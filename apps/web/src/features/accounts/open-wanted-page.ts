import { LOGIN_REDIRECT_MS } from "@lambda/contract/limits";
import { fetchSession } from "../../api/account-calls.ts";
import { queryClient } from "../../api/query-client.ts";
import { writeDevice } from "../../device/device-storage.ts";
import { LOGIN_TICKET } from "../../device/login-ticket.ts";
import { goTo, takeReturn } from "../../routing/navigation.ts";
import { resumeReporting } from "../../session/reporting.ts";

/** After a login: what the member wanted before, else home. */
export function openWantedPage(): void {
  // Other tabs that wait for the mail hear of it, and go on.
  writeDevice(LOGIN_TICKET, null);
  const from = location.pathname;
  const session = fetchSession().catch(() => undefined);
  setTimeout(async () => {
    queryClient.clear();
    resumeReporting();
    const account = (await session)?.profileId ?? 0;
    if (location.pathname === from) goTo(takeReturn(account), { replace: true });
  }, LOGIN_REDIRECT_MS);
}
