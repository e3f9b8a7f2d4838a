import { ACCOUNT_HEADER } from "@lambda/contract/headers";
import { PERSISTED_CACHE, queryClient } from "../api/query-client.ts";
import { knownAccount } from "./session.ts";

/** Says with each call for whom this page acts, as soon as it knows. */
export function accountHeader(): Record<string, string> {
  const account = knownAccount();
  return account === 0 ? {} : { [ACCOUNT_HEADER]: String(account) };
}

/** How a call is refused whose session is another member's by now (OTHER_ACCOUNT). */
export const OTHER_ACCOUNT_STATUS = 412;

/** In another tab somebody else logged in: nothing of the member before is drawn, kept or done for them. The page begins anew. */
export function onOtherAccount(): void {
  queryClient.clear();
  try {
    localStorage.removeItem(PERSISTED_CACHE);
  } catch {
    // Nothing could be stored, so nothing is left.
  }
  location.reload();
}
