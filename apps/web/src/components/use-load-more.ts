import { useEffect } from "react";

export interface Pages {
  readonly hasNextPage: boolean;
  readonly isFetching: boolean;
  readonly isFetchNextPageError: boolean;
  readonly fetchNextPage: () => unknown;
}

/**
 * Loads the next page whenever more is needed, until a page fails to load. Waits for refetches, which loading would cancel: if a refetch in
 * turn cancels the loading before the next render, the end of the refetch loads again.
 */
export function useLoadMore(isMoreNeeded: boolean, query: Pages): void {
  const { hasNextPage, isFetching, isFetchNextPageError, fetchNextPage } = query;
  useEffect(() => {
    if (isMoreNeeded && hasNextPage && !isFetching && !isFetchNextPageError) void fetchNextPage();
  }, [isMoreNeeded, hasNextPage, isFetching, isFetchNextPageError, fetchNextPage]);
}
