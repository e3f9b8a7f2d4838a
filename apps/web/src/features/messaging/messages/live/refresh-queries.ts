/** Refetches queries that a message affects. Delayed, so that a message and its receipts cause one request. */
import type { Query } from "@tanstack/react-query";
import { getQueryKey } from "@trpc/react-query";
import { SESSION_KEY } from "../../../../api/page-account.ts";
import { queryClient } from "../../../../api/query-client.ts";
import { trpc } from "../../../../api/trpc.ts";

export const CONVERSATIONS = getQueryKey(trpc.messages.conversations);
export const AREA = getQueryKey(trpc.messages.area);
export const NOTIFICATIONS = getQueryKey(trpc.notifications.list);
export const SESSION = SESSION_KEY;

const REFRESH_DELAY_MS = 250;
const stale = new Set<readonly unknown[]>();
let timer: number | undefined;

export function refreshSoon(...keys: readonly (readonly unknown[])[]): void {
  for (const key of keys) stale.add(key);
  if (timer !== undefined) return;
  timer = window.setTimeout(() => {
    timer = undefined;
    const due = [...stale];
    stale.clear();
    for (const queryKey of due) refreshNow(queryKey);
  }, REFRESH_DELAY_MS);
}

/** Refetches without the delay, for a page that has just opened. A first answer that is on its way may be from before, so it is asked again. */
export function refreshNow(queryKey: readonly unknown[]): void {
  const isFirst = ({ state }: Query) => state.data === undefined && state.fetchStatus === "fetching";
  const loading = queryClient.getQueryCache().findAll({ queryKey, predicate: isFirst });
  const again = () => queryClient.invalidateQueries({ queryKey, predicate: (query) => loading.includes(query) });
  void queryClient.invalidateQueries({ queryKey }).then(loading.length > 0 ? again : undefined);
}

export function refreshCounts(): void {
  refreshSoon(CONVERSATIONS, SESSION);
}
