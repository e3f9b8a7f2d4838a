import { useCallback, useEffect, useMemo, useState } from "react";
import { useLocation, useSearch } from "wouter";
import { type Filters, findIgnored, formatFilters, parseFilters } from "./filters.ts";

/** Stores the filters that were last set in this tab. Logout clears them with the rest of session storage. */
const STORAGE_KEY = "search-filters";

/** "" or "?...". */
function loadLastFilters(): string {
  try {
    return sessionStorage.getItem(STORAGE_KEY) ?? "";
  } catch {
    return "";
  }
}

function saveLastFilters(query: string): void {
  try {
    sessionStorage.setItem(STORAGE_KEY, query);
  } catch {
    // Without storage, the filters exist only in the URL.
  }
}

export interface UrlFilters {
  readonly filters: Filters;
  /** "" or "?...", for links to the other searches. */
  readonly query: string;
  readonly setFilters: (filters: Filters) => void;
  /** What the URL asked for in vain, until the filters change. */
  readonly ignored: ReturnType<typeof findIgnored>;
}

/**
 * The search filters, kept in the URL so that they survive reloading, sharing, going back and switching between
 * searches. A search that is opened without filters, as from the bottom bar, uses the last ones of this tab.
 */
export function useFilters(): UrlFilters {
  const search = useSearch();
  const [path, navigate] = useLocation();
  const urlQuery = formatFilters(parseFilters(search));
  const query = urlQuery || loadLastFilters();
  const filters = useMemo(() => parseFilters(query), [query]);
  // Remembered, because restoring the last filters replaces the URL.
  const [ignored, setIgnored] = useState<ReturnType<typeof findIgnored>>([]);
  const found = findIgnored(search);
  if (found.length > 0 && found.join() !== ignored.join()) setIgnored(found);
  useEffect(() => {
    saveLastFilters(query);
    if (query !== urlQuery) navigate(path + query, { replace: true });
  }, [query, urlQuery, path, navigate]);
  const setFilters = useCallback(
    (next: Filters) => {
      // Saved before the navigation, because an empty URL would restore the previous filters.
      saveLastFilters(formatFilters(next));
      setIgnored([]);
      navigate(path + formatFilters(next), { replace: true });
    },
    [navigate, path],
  );
  return { filters, query, setFilters, ignored };
}
