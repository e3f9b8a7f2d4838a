import type { NearbyBrief } from "@lambda/contract/positions";
import { useEffect, useMemo, useRef } from "react";
import { trpc } from "../../api/trpc.ts";
import type { Filters } from "./filters/filters.ts";

export interface NearestOptions {
  readonly size: number;
  readonly refetchMs: number;
  /** Leaves out whom the member already judged. */
  readonly unjudged?: boolean;
}

/** Short pages in a row that are followed without being asked; after them the button, or the scrolling, asks. */
const SHORT_PAGES_MAX = 8;

/** Members by distance, page by page. Pages seen before are there at once on return, and renewed behind. */
export function useNearest(filters: Filters, { size, refetchMs, unjudged }: NearestOptions) {
  const { characteristics, ...rest } = filters;
  const utils = trpc.useUtils();
  const input = {
    size,
    ...rest,
    ...(characteristics && { characteristics: [...characteristics] }),
    ...(unjudged && { unjudged }),
  };
  const query = trpc.positions.nearest.useInfiniteQuery(input, {
    getNextPageParam: (page) => page.nextCursor,
    refetchInterval: refetchMs,
    staleTime: refetchMs,
    // Cards that were dealt stay dealt. Nobody of other filters stands in for who is asked for: they would be under the wrong words.
    ...(unjudged && { refetchOnWindowFocus: false }),
  });
  // A page may come short where few match, and still not be the last: go on until it is full, or it is the end.
  const { data, hasNextPage, isFetching, isError, fetchNextPage } = query;
  const lastCount = data?.pages[data.pages.length - 1]?.items.length ?? size;
  const short = useRef(0);
  useEffect(() => {
    if (lastCount >= size) short.current = 0;
    else if (hasNextPage && !isFetching && !isError && short.current < SHORT_PAGES_MAX) {
      short.current += 1;
      void fetchNextPage();
    }
  }, [lastCount, size, hasNextPage, isFetching, isError, fetchNextPage]);

  // A member who moved between two pages may stand in both.
  const members = useMemo(() => {
    const seen = new Map<number, NearbyBrief>();
    for (const page of query.data?.pages ?? []) {
      for (const brief of page.items) if (!seen.has(brief.profileId)) seen.set(brief.profileId, brief);
    }
    return [...seen.values()];
  }, [query.data]);
  /** Forgets the pages and asks anew. */
  const reset = () => utils.positions.nearest.reset(input);
  return { ...query, members, reset };
}
