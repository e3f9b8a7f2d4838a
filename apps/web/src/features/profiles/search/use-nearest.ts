import type { NearbyBrief } from "@lambda/contract/positions";
import { useEffect, useMemo, useState } from "react";
import { trpc } from "../../../api/trpc.ts";
import type { Filters } from "./filters/filters.ts";
import { countShortPages, sortOnlineFirst } from "./found-pages.ts";

export interface NearestOptions {
  readonly size: number;
  readonly refetchMs: number;
  /** Leaves out members whom the viewer has already judged. */
  readonly unjudged?: boolean;
  /** Those online come first within a band of distance, page by page, so that no later page moves who is shown. */
  readonly onlineFirst?: boolean;
  /** How many short pages in a row are loaded at once; then the member asks for more. */
  readonly pages?: number;
}

/** How many consecutive short pages are loaded automatically. After them, the member's scrolling or the button loads more. */
const SHORT_PAGES_MAX = 24;

/** Members by distance in pages. Cached pages are shown at once on return and refetched in the background. */
export function useNearest(
  filters: Filters,
  { size, refetchMs, unjudged, onlineFirst, pages = SHORT_PAGES_MAX }: NearestOptions,
) {
  const { characteristics, ...rest } = filters;
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
  const short = countShortPages(data?.pages ?? [], size);
  const [asked, setAsked] = useState(1);
  const isLooking = short > 0 && short < asked * pages && hasNextPage && !isError;
  useEffect(() => {
    if (isLooking && !isFetching) void fetchNextPage();
  }, [isLooking, isFetching, fetchNextPage]);
  const lookFarther = () => {
    setAsked(Math.floor(short / pages) + 1);
    void fetchNextPage();
  };

  // A member who moved between the reads of two pages may be in both.
  const members = useMemo(() => {
    const seen = new Map<number, NearbyBrief>();
    for (const page of data?.pages ?? []) {
      const items = onlineFirst ? sortOnlineFirst(page.items, filters) : page.items;
      for (const brief of items) if (!seen.has(brief.profileId)) seen.set(brief.profileId, brief);
    }
    return [...seen.values()];
  }, [data, onlineFirst, filters]);
  return { ...query, members, isLooking, lookFarther };
}
