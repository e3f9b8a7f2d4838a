/** The account that this page's calls are made for, as its session's last response names it. */
import type { SessionContext } from "@lambda/contract/accounts";
import { ACCOUNT_HEADER } from "@lambda/contract/headers";
import { getQueryKey } from "@trpc/react-query";
import { onClearLocalData } from "../device/clear-local-data.ts";
import { textStorage } from "../device/vault.ts";
import { PERSISTED_CACHE, queryClient } from "./query-client.ts";
import { trpc } from "./trpc.ts";

export const SESSION_KEY = getQueryKey(trpc.accounts.session, undefined, "query");

/** The account id from the last session response; 0 until known. */
export const knownAccountId = (): number => queryClient.getQueryData<SessionContext>(SESSION_KEY)?.profileId ?? 0;

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
    textStorage(PERSISTED_CACHE).removeItem(PERSISTED_CACHE);
  } catch {
    // Storage is unavailable, so nothing is stored.
  }
  location.reload();
}
