/** Refetches queries that a message affects. Delayed, so that a message and its receipts cause one request. */
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

/** Refetches without the delay, for a page that has just opened. */
export function refreshNow(queryKey: readonly unknown[]): void {
  void queryClient.invalidateQueries({ queryKey });
}

export function refreshCounts(): void {
  refreshSoon(CONVERSATIONS, SESSION);
}
