import { QUERY_CACHE_MS } from "@lambda/contract/limits";
import { addIcons } from "@lambda/ui/icon";
import { MEMBER_PATHS } from "@lambda/ui/member-icon-paths";
import { type DehydratedState, dehydrate, hashKey, hydrate } from "@tanstack/react-query";
import { getQueryKey } from "@trpc/react-query";
import { openMemberStore } from "../device/member-store.ts";
import { serverNow } from "../device/server-clock.ts";
import { hasSession } from "../device/session-cookie.ts";
import { textStorage } from "../device/vault.ts";
import { currentBuild } from "../routing/current-build.ts";
import { knownAccountId, SESSION_KEY } from "./page-account.ts";
import { PERSISTED_CACHE, queryClient } from "./query-client.ts";
import { trpc } from "./trpc.ts";

// Here, because this loads before anything is shown to a member.
addIcons(MEMBER_PATHS);

const SAVE_DELAY_MS = 1000;
/** An allow-list of the member's own data. Never add notes, messages, pictures or other members. */
const PERSISTED_QUERIES = new Set([SESSION_KEY, getQueryKey(trpc.profiles.mine, undefined, "query")].map(hashKey));

/** In local storage rather than IndexedDB, because its removals at logout complete before the page unloads. */
interface SavedCache {
  readonly build: string | undefined;
  readonly at: number;
  readonly state: DehydratedState;
}

/** Runs while there are changes to save. */
let timer: number | undefined;

function save(): void {
  const hasChanged = timer !== undefined;
  clearTimeout(timer);
  timer = undefined;
  // The session may have ended since the change; its data must not be written again.
  if (!hasChanged || !hasSession() || knownAccountId() === 0) return;
  const state = dehydrate(queryClient, {
    shouldDehydrateQuery: ({ queryHash, state: { status } }) =>
      status === "success" && PERSISTED_QUERIES.has(queryHash),
    shouldDehydrateMutation: () => false,
  });
  const saved: SavedCache = { build: currentBuild(), at: serverNow(), state };
  try {
    textStorage(PERSISTED_CACHE).setItem(PERSISTED_CACHE, JSON.stringify(saved));
  } catch {
    // The cache is optional.
  }
}

function restore(): void {
  if (!hasSession()) return;
  const text = textStorage(PERSISTED_CACHE).getItem(PERSISTED_CACHE);
  const saved = text === null ? undefined : (JSON.parse(text) as SavedCache);
  if (saved?.build === currentBuild() && serverNow() - saved.at < QUERY_CACHE_MS) hydrate(queryClient, saved.state);
}

let restoring: Promise<void> | undefined;

/**
 * Opens what is stored on this device, restores the cache of this build's last visit, up to 24 h old, and saves changes. If another member
 * has logged in since, the server rejects the page's calls and page-account.ts discards the cache.
 */
export function persistCache(): Promise<void> {
  restoring ??= openMemberStore()
    .then(restore)
    .catch(() => undefined)
    .then(saveChanges);
  return restoring;
}

function saveChanges(): void {
  // A reload right after a change must not bring back what was there before it.
  addEventListener("pagehide", save);
  queryClient.getQueryCache().subscribe(({ type, query }) => {
    if (type === "updated" && PERSISTED_QUERIES.has(query.queryHash)) timer ??= window.setTimeout(save, SAVE_DELAY_MS);
  });
}
