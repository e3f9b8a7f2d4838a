import type { NearbyBrief } from "@lambda/contract/positions";
import { useEffect, useMemo, useRef } from "react";
import { trpc } from "../../../api/trpc.ts";
import type { Filters } from "./filters/filters.ts";

export interface NearestOptions {
  readonly size: number;
  readonly refetchMs: number;
  /** Leaves out members whom the viewer has already judged. */
  readonly unjudged?: boolean;
}

/** How many consecutive short pages are loaded automatically. After them, the member's scrolling or the button loads more. */
const SHORT_PAGES_MAX = 24;

/** Members by distance in pages. Cached pages are shown at once on return and refetched in the background. */
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
    // No refetch on focus, so that the cards do not change. No placeholder data, since it would be of other filters.
    ...(unjudged && { refetchOnWindowFocus: false }),
  });
  // A page may be short because few members match, without being the last: load more until one is full or the list ends.
  const { data, hasNextPage, isFetching, isError, fetchNextPage } = query;
  const lastCount = data?.pages[data.pages.length - 1]?.items.length ?? size;
  const shortPages = useRef(0);
  useEffect(() => {
    if (lastCount >= size) shortPages.current = 0;
    else if (hasNextPage && !isFetching && !isError && shortPages.current < SHORT_PAGES_MAX) {
      shortPages.current += 1;
      void fetchNextPage();
    }
  }, [lastCount, size, hasNextPage, isFetching, isError, fetchNextPage]);

  // A member who moved between the reads of two pages may be in both.
  const members = useMemo(() => {
    const seen = new Map<number, NearbyBrief>();
    for (const page of query.data?.pages ?? []) {
      for (const brief of page.items) if (!seen.has(brief.profileId)) seen.set(brief.profileId, brief);
    }
    return [...seen.values()];
  }, [query.data]);
  const reset = () => utils.positions.nearest.reset(input);
  return { ...query, members, reset };
}
