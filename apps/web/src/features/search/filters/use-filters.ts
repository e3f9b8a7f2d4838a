import { useCallback, useEffect, useMemo } from "react";
import { useLocation, useSearch } from "wouter";
import { type Filters, formatFilters, parseFilters } from "./filters.ts";
import { keepFilters, lastFilters } from "./last-filters.ts";

export interface FiltersInUrl {
  readonly filters: Filters;
  /** "" or "?...", for links to the other searches. */
  readonly query: string;
  readonly setFilters: (filters: Filters) => void;
}

/**
 * The filters live in the address: reload, share, back, and the other two searches keep them. A search that is opened without any, as
 * by the bottom bar, takes those that were set last in this tab, until they are cleared.
 */
export function useFilters(): FiltersInUrl {
  const search = useSearch();
  const [path, navigate] = useLocation();
  const asked = formatFilters(parseFilters(search));
  const query = asked || lastFilters();
  const filters = useMemo(() => parseFilters(query), [query]);
  useEffect(() => {
    keepFilters(query);
    if (query !== asked) navigate(path + query, { replace: true });
  }, [query, asked, path, navigate]);
  const setFilters = useCallback(
    (next: Filters) => {
      // Before the address: an empty one would bring the former filters back.
      keepFilters(formatFilters(next));
      navigate(path + formatFilters(next), { replace: true });
    },
    [navigate, path],
  );
  return { filters, query, setFilters };
}
