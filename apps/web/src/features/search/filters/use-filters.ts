import { useCallback, useMemo } from "react";
import { useLocation, useSearch } from "wouter";
import { type Filters, formatFilters, parseFilters } from "./filters.ts";

export interface FiltersInUrl {
  readonly filters: Filters;
  /** "" or "?...", for links to the other searches. */
  readonly query: string;
  readonly setFilters: (filters: Filters) => void;
}

/** The filters live in the address alone: reload, share, back, and the other two searches keep them. */
export function useFilters(): FiltersInUrl {
  const search = useSearch();
  const [path, navigate] = useLocation();
  const filters = useMemo(() => parseFilters(search), [search]);
  const setFilters = useCallback(
    (next: Filters) => navigate(path + formatFilters(next), { replace: true }),
    [navigate, path],
  );
  return { filters, query: formatFilters(filters), setFilters };
}
