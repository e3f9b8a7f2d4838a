import { useCallback, useEffect, useMemo, useState } from "react";
import { useLocation, useSearch } from "wouter";
import { deviceKey, readDeviceValue, writeDeviceValue } from "../../../../device/device-storage.ts";
import { type Filters, findIgnored, formatFilters, parseFilters } from "./filters.ts";

/** The filters that were last set, as "" or "?...". Sealed like all that is a member's, since they say what the member looks for. */
const LAST_FILTERS = deviceKey("search-filters", "", (value) => typeof value === "string");

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
 * searches. A search that is opened without filters, as from the bottom bar, uses the last ones.
 */
export function useFilters(): UrlFilters {
  const search = useSearch();
  const [path, navigate] = useLocation();
  const urlQuery = formatFilters(parseFilters(search));
  const query = urlQuery || readDeviceValue(LAST_FILTERS);
  const filters = useMemo(() => parseFilters(query), [query]);
  // Remembered, because restoring the last filters replaces the URL.
  const [ignored, setIgnored] = useState<ReturnType<typeof findIgnored>>([]);
  const found = findIgnored(search);
  if (found.length > 0 && found.join() !== ignored.join()) setIgnored(found);
  useEffect(() => {
    if (query !== readDeviceValue(LAST_FILTERS)) writeDeviceValue(LAST_FILTERS, query);
    if (query !== urlQuery) navigate(path + query, { replace: true });
  }, [query, urlQuery, path, navigate]);
  const setFilters = useCallback(
    (next: Filters) => {
      // Saved before the navigation, because an empty URL would restore the previous filters.
      writeDeviceValue(LAST_FILTERS, formatFilters(next));
      setIgnored([]);
      navigate(path + formatFilters(next), { replace: true });
    },
    [navigate, path],
  );
  return { filters, query, setFilters, ignored };
}
