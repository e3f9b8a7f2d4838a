import { QUERY_CACHE_MS } from "@lambda/contract/limits";
import type { Query, QueryKey } from "@tanstack/react-query";
import { hasSession } from "../session/session.ts";
import { queryClient } from "./query-client.ts";

const NAME = "query-cache";
const SAVE_DELAY_MS = 1000;
/** Opt-in by procedure: the member's own data only. Never notes, messages, pictures or other members. */
const KEPT = new Set(["accounts.session", "profiles.mine"]);

interface Kept {
  readonly account: number;
  readonly at: number;
  readonly queries: readonly { readonly key: QueryKey; readonly data: unknown; readonly updatedAt: number }[];
}

/**
 * Puts back what the last visit knew, if it is not older than 24 h. Whose session it is now, only the server knows: while it is not
 * the same member's, it refuses every call that speaks for him, and its answer drops all this (other-account.ts).
 */
export function restoreCache(now: number): void {
  const kept = read();
  if (!kept) return;
  if (!hasSession() || now - kept.at > QUERY_CACHE_MS) {
    drop();
    return;
  }
  for (const { key, data, updatedAt } of kept.queries) queryClient.setQueryData(key, data, { updatedAt });
}

/** Saves a second after the last change; drops everything as soon as another account's session is seen. */
export function startPersisting(): void {
  let timer: number | undefined;
  queryClient.getQueryCache().subscribe((event) => {
    if (event.type !== "updated" || event.action.type !== "success" || !isKept(event.query)) return;
    window.clearTimeout(timer);
    timer = window.setTimeout(save, SAVE_DELAY_MS);
  });
}

function save(): void {
  const all = queryClient.getQueryCache().getAll();
  const account = accountOf(all);
  if (!hasSession() || account === undefined) return;
  const known = read()?.account;
  if (known !== undefined && known !== account) drop();
  const queries = all
    .filter(isKept)
    .map(({ queryKey, state }) => ({ key: queryKey, data: state.data, updatedAt: state.dataUpdatedAt }));
  try {
    localStorage.setItem(NAME, JSON.stringify({ account, at: Date.now(), queries } satisfies Kept));
  } catch {
    // A cache may fail to be kept.
  }
}

function accountOf(queries: Query[]): number | undefined {
  const session = queries.find((query) => procedureOf(query) === "accounts.session");
  return (session?.state.data as { profileId?: number | null } | undefined)?.profileId ?? undefined;
}

function isKept(query: Query): boolean {
  return query.state.status === "success" && KEPT.has(procedureOf(query));
}

function procedureOf(query: Query): string {
  const [path] = query.queryKey as [unknown];
  return Array.isArray(path) ? path.join(".") : "";
}

function read(): Kept | undefined {
  try {
    const kept = JSON.parse(localStorage.getItem(NAME) ?? "null") as Kept | null;
    return kept && typeof kept.account === "number" && Array.isArray(kept.queries) ? kept : undefined;
  } catch {
    return undefined;
  }
}

function drop(): void {
  try {
    localStorage.removeItem(NAME);
  } catch {
    // Nothing could be stored, so nothing is left.
  }
}
