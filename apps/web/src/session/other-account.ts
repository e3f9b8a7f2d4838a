import { ACCOUNT_HEADER } from "@lambda/contract/headers";
import { PERSISTED_CACHE, queryClient } from "../api/query-client.ts";
import { onClearLocalData } from "../device/clear-local-data.ts";
import { textStorage } from "../device/vault.ts";
import { knownAccountId } from "./session.ts";

/** The account this page belongs to; 0 until known. Outlives the query cache, which is cleared just before the reload. */
let pageAccountId = 0;
onClearLocalData(() => {
  pageAccountId = 0;
});

/** The header that names this page's account in every call, once it is known. */
export function accountHeader(): Record<string, string> {
  if (pageAccountId === 0) pageAccountId = knownAccountId();
  return pageAccountId === 0 ? {} : { [ACCOUNT_HEADER]: String(pageAccountId) };
}

/** HTTP status of OTHER_ACCOUNT: the session cookie now belongs to another member. */
export const OTHER_ACCOUNT_STATUS = 412;

/** Another member logged in in another tab: discards the previous member's data and reloads the page. */
export function onOtherAccount(): void {
  queryClient.clear();
  try {
    textStorage().removeItem(PERSISTED_CACHE);
  } catch {
    // Storage is unavailable, so nothing is stored.
  }
  location.reload();
}
