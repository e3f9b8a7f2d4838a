import { QUERY_CACHE_MS } from "@lambda/contract/limits";
import { hashKey } from "@tanstack/react-query";
import { type PersistedClient, type Persister, persistQueryClient } from "@tanstack/react-query-persist-client";
import { getQueryKey } from "@trpc/react-query";
import { hasSession } from "../device/session-cookie.ts";
import { textStorage } from "../device/vault.ts";
import { currentBuild } from "../routing/current-build.ts";
import { knownAccountId, SESSION_KEY } from "./page-account.ts";
import { PERSISTED_CACHE, queryClient } from "./query-client.ts";
import { trpc } from "./trpc.ts";

const SAVE_DELAY_MS = 1000;
/** An allow-list of the member's own data. Never add notes, messages, pictures or other members. */
const PERSISTED_QUERIES = new Set([SESSION_KEY, getQueryKey(trpc.profiles.mine, undefined, "query")].map(hashKey));

let unsaved: PersistedClient | undefined;
let timer: number | undefined;

/** Uses local storage rather than IndexedDB, because its removals at logout complete before the page unloads. */
const persister: Persister = {
  persistClient: (client) => {
    unsaved = client;
    if (timer === undefined) timer = window.setTimeout(save, SAVE_DELAY_MS);
  },
  restoreClient: () => {
    if (!hasSession()) return undefined;
    try {
      return JSON.parse(textStorage().getItem(PERSISTED_CACHE) ?? "null") ?? undefined;
    } catch {
      return undefined;
    }
  },
  removeClient: () => textStorage().removeItem(PERSISTED_CACHE),
};

function save(): void {
  clearTimeout(timer);
  timer = undefined;
  // The session may have ended since the change; its data must not be written again.
  if (!unsaved || !hasSession() || knownAccountId() === 0) return;
  try {
    textStorage().setItem(PERSISTED_CACHE, JSON.stringify(unsaved));
    unsaved = undefined;
  } catch {
    // The cache is optional.
  }
}

let restoring: Promise<void> | undefined;

/**
 * Restores the cache of this build's last visit, up to 24 h old, and saves changes. If another member has logged in since, the server
 * rejects the page's calls and page-account.ts discards the cache.
 */
export function persistCache(): Promise<void> {
  restoring ??= restoreAndSave();
  return restoring;
}

function restoreAndSave(): Promise<void> {
  // A reload right after a change must not bring back what was there before it.
  addEventListener("pagehide", save);
  const [, restored] = persistQueryClient({
    queryClient,
    persister,
    maxAge: QUERY_CACHE_MS,
    buster: currentBuild(),
    dehydrateOptions: {
      shouldDehydrateQuery: ({ queryHash, state }) => state.status === "success" && PERSISTED_QUERIES.has(queryHash),
      shouldDehydrateMutation: () => false,
    },
  });
  return restored.catch(() => undefined);
}
