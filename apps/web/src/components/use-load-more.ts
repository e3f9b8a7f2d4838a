import { useEffect } from "react";

interface Pages {
  readonly hasNextPage: boolean;
  readonly isFetching: boolean;
  readonly isError: boolean;
  readonly fetchNextPage: () => unknown;
}

/**
 * Loads the next page whenever more is needed, until a request fails. Waits for refetches, which loading would cancel: if a refetch in
 * turn cancels the loading before the next render, the end of the refetch loads again.
 */
export function useLoadMore(isMoreNeeded: boolean, { hasNextPage, isFetching, isError, fetchNextPage }: Pages): void {
  useEffect(() => {
    if (isMoreNeeded && hasNextPage && !isFetching && !isError) void fetchNextPage();
  }, [isMoreNeeded, hasNextPage, isFetching, isError, fetchNextPage]);
}
