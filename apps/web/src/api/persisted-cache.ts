import { QUERY_CACHE_MS } from "@lambda/contract/limits";
import { hashKey } from "@tanstack/react-query";
import { type PersistedClient, type Persister, persistQueryClient } from "@tanstack/react-query-persist-client";
import { getQueryKey } from "@trpc/react-query";
import { hasSession } from "../device/session-cookie.ts";
import { textStorage } from "../device/vault.ts";
import { currentBuild } from "../routing/current-build.ts";
import { knownAccount, SESSION_KEY } from "../session/session.ts";
import { PERSISTED_CACHE, queryClient } from "./query-client.ts";
import { trpc } from "./trpc.ts";

const SAVE_DELAY_MS = 1000;
/** Opt-in: the member's own data only. Never notes, messages, pictures or other members. */
const PERSISTED_QUERIES = new Set([SESSION_KEY, getQueryKey(trpc.profiles.mine, undefined, "query")].map(hashKey));

let unsaved: PersistedClient | undefined;
let timer: number | undefined;

/** Local storage and not IndexedDB: what a logout removes from it is gone before the page is. */
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
  timer = undefined;
  // The session may have ended since the change; what is left of it must not be written again.
  if (!unsaved || !hasSession() || knownAccount() === 0) return;
  try {
    textStorage().setItem(PERSISTED_CACHE, JSON.stringify(unsaved));
  } catch {
    // A cache may fail to be kept.
  }
}

let restoring: Promise<void> | undefined;

/**
 * Restores what this build's last visit knew within 24 h, and saves what changes. Only the server knows whose session it is now:
 * it refuses calls that speak for another member, and its answer drops all this (other-account.ts).
 */
export function persistCache(): Promise<void> {
  restoring ??= persistQueryClient({
    queryClient,
    persister,
    maxAge: QUERY_CACHE_MS,
    buster: currentBuild(),
    dehydrateOptions: {
      shouldDehydrateQuery: ({ queryHash, state }) => state.status === "success" && PERSISTED_QUERIES.has(queryHash),
      shouldDehydrateMutation: () => false,
    },
  })[1].catch(() => undefined);
  return restoring;
}
