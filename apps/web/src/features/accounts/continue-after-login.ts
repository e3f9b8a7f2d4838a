import { LOGIN_REDIRECT_MS } from "@lambda/contract/limits";
import { trpcClient } from "../../api/client.ts";
import { queryClient } from "../../api/query-client.ts";
import { writeDeviceValue } from "../../device/device-storage.ts";
import { LOGIN_TICKET } from "../../device/login-ticket.ts";
import { resumeReporting } from "../../device/reporting.ts";
import { currentAddress } from "../../routing/address.ts";
import { goTo, takeReturnPath } from "../../routing/navigation.ts";

/** The answer was good, but the next call came without its cookies. */
export class SessionNotKept extends Error {}

/** Opens the page the member wanted before the login, else the home page. Rejects with SessionNotKept if this browser has no session after all. */
export async function continueAfterLogin(): Promise<void> {
  const from = currentAddress().pathname;
  const answer = trpcClient.accounts.session.query().catch(() => undefined);
  await new Promise((resolve) => setTimeout(resolve, LOGIN_REDIRECT_MS));
  const session = await answer;
  if (session?.loggedIn === false) throw new SessionNotKept();
  // Lets other tabs that wait for the login mail continue too.
  writeDeviceValue(LOGIN_TICKET, null);
  queryClient.clear();
  resumeReporting();
  if (currentAddress().pathname === from) goTo(takeReturnPath(session?.profileId ?? 0), { replace: true });
}
