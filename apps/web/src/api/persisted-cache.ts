import type { SessionContext } from "@lambda/contract/accounts";
import { QUERY_CACHE_MS } from "@lambda/contract/limits";
import { hashKey, type QueryKey } from "@tanstack/react-query";
import { getQueryKey } from "@trpc/react-query";
import { hasSession } from "../device/session-cookie.ts";
import { SESSION_KEY } from "../session/session.ts";
import { queryClient } from "./query-client.ts";
import { trpc } from "./trpc.ts";

const NAME = "query-cache";
const SAVE_DELAY_MS = 1000;
/** Opt-in: the member's own data only. Never notes, messages, pictures or other members. */
const KEPT_KEYS: readonly QueryKey[] = [SESSION_KEY, getQueryKey(trpc.profiles.mine, undefined, "query")];

interface Kept {
  readonly account: number;
  readonly at: number;
  /** In the order of KEPT_KEYS; null where nothing was known. */
  readonly answers: readonly ({ readonly data: unknown; readonly updatedAt: number } | null)[];
}

/**
 * Puts back what the last visit knew, if it is not older than 24 h. Whose session it is now, only the server knows: while it is not
 * the same member's, it refuses every call that speaks for them, and its answer drops all this (other-account.ts).
 */
export function restoreCache(now: number): void {
  try {
    const kept = JSON.parse(localStorage.getItem(NAME) ?? "null") as Kept | null;
    if (!kept) return;
    if (!hasSession() || now - kept.at > QUERY_CACHE_MS) {
      localStorage.removeItem(NAME);
      return;
    }
    for (const [at, key] of KEPT_KEYS.entries()) {
      const answer = kept.answers[at];
      if (answer) queryClient.setQueryData(key, answer.data, { updatedAt: answer.updatedAt });
    }
  } catch {
    // Nothing usable was stored.
  }
}

/** Saves a second after the last change. */
export function startPersisting(): void {
  const kept = new Set(KEPT_KEYS.map(hashKey));
  let timer: number | undefined;
  queryClient.getQueryCache().subscribe((event) => {
    if (event.type !== "updated" || event.action.type !== "success" || !kept.has(event.query.queryHash)) return;
    window.clearTimeout(timer);
    timer = window.setTimeout(save, SAVE_DELAY_MS);
  });
}

function save(): void {
  const account = queryClient.getQueryData<SessionContext>(SESSION_KEY)?.profileId;
  if (!hasSession() || !account) return;
  const answers = KEPT_KEYS.map((key) => {
    const { data, dataUpdatedAt: updatedAt = 0, status } = queryClient.getQueryState(key) ?? {};
    return status === "success" ? { data, updatedAt } : null;
  });
  try {
    localStorage.setItem(NAME, JSON.stringify({ account, at: Date.now(), answers } satisfies Kept));
  } catch {
    // A cache may fail to be kept.
  }
}
