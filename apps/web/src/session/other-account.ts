import { ACCOUNT_HEADER } from "@lambda/contract/headers";
import { PERSISTED_CACHE, queryClient } from "../api/query-client.ts";
import { onClearLocalData } from "../device/clear-local-data.ts";
import { textStorage } from "../device/vault.ts";
import { knownAccount } from "./session.ts";

/** For whom this page acts, once known. Outlives the cache, which is emptied a moment before the page goes. */
let actsFor = 0;
onClearLocalData(() => {
  actsFor = 0;
});

/** Says with each call for whom this page acts, as soon as it knows. */
export function accountHeader(): Record<string, string> {
  if (actsFor === 0) actsFor = knownAccount();
  return actsFor === 0 ? {} : { [ACCOUNT_HEADER]: String(actsFor) };
}

/** How a call is refused whose session is another member's by now (OTHER_ACCOUNT). */
export const OTHER_ACCOUNT_STATUS = 412;

/** In another tab somebody else logged in: nothing of the member before is drawn, kept or done for them. The page begins anew. */
export function onOtherAccount(): void {
  queryClient.clear();
  try {
    textStorage().removeItem(PERSISTED_CACHE);
  } catch {
    // Nothing could be stored, so nothing is left.
  }
  location.reload();
}
