/** Asks anew for what a message changes. What it sets off (delivered, seen, answered) comes within moments, and costs one reading. */
import { getQueryKey } from "@trpc/react-query";
import { queryClient } from "../../../api/query-client.ts";
import { trpc } from "../../../api/trpc.ts";
import { SESSION_KEY } from "../../../session/session.ts";

export const CONVERSATIONS = getQueryKey(trpc.messages.conversations);
export const AREA = getQueryKey(trpc.messages.area);
export const NOTIFICATIONS = getQueryKey(trpc.notifications.list);
export const SESSION = SESSION_KEY;

const REFRESH_AFTER_MS = 250;
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
  }, REFRESH_AFTER_MS);
}

/** At once, with whatever else is asked in this moment: a page that opens has nothing to wait for. */
export function refreshNow(queryKey: readonly unknown[]): void {
  void queryClient.invalidateQueries({ queryKey });
}

/** The conversation list and the unread counts anew, as this page changed them. */
export function refreshCounts(): void {
  refreshSoon(CONVERSATIONS, SESSION);
}
