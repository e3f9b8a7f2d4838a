import { SEARCH_PAGE_SIZE, SEARCH_REFETCH_MS } from "@lambda/contract/limits";
import { Skeleton } from "@lambda/ui/skeleton";
import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { useCopy } from "../../../format/i18n.ts";
import { searchCopy } from "../copy.ts";
import { FilterBar } from "../filters/FilterBar.tsx";
import { useFilters } from "../filters/use-filters.ts";
import { NoResults, SearchFailed } from "../SearchStates.tsx";
import { useNearest } from "../use-nearest.ts";
import css from "./profile-search.module.css";
import { ReadCard } from "./ReadCard.tsx";

/** Estimated height of a card until it is measured. */
const CARD_PX = 320;

/** Full profiles in order of distance. The next page loads before the end is reached. */
export default function ProfileSearchScreen() {
  const copy = useCopy(searchCopy);
  const search = useFilters();
  const nearest = useNearest(search.filters, { size: SEARCH_PAGE_SIZE, refetchMs: SEARCH_REFETCH_MS });
  const { members, hasNextPage, isFetchingNextPage, fetchNextPage } = nearest;

  const list = useRef<HTMLDivElement>(null);
  const [offset, setOffset] = useState(0);
  useLayoutEffect(() => {
    setOffset((list.current?.getBoundingClientRect().top ?? 0) + scrollY);
  }, []);
  const rows = useWindowVirtualizer({
    count: members.length,
    estimateSize: () => CARD_PX,
    getItemKey: (index) => members[index]?.profileId ?? index,
    overscan: 4,
    scrollMargin: offset,
  });
  const shown = rows.getVirtualItems();
  const last = shown[shown.length - 1]?.index ?? -1;
  useEffect(() => {
    if (last >= members.length - 4 && hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [last, members.length, hasNextPage, isFetchingNextPage, fetchNextPage]);

  const empty = members.length === 0;
  return (
    <>
      <FilterBar search={search} />
      <div ref={list} className={css.screen}>
        {nearest.isPending || (empty && (hasNextPage || isFetchingNextPage)) ? (
          <Skeleton shape="rows" count={6} label={copy.loading} />
        ) : nearest.isError && empty ? (
          <SearchFailed error={nearest.error} retrying={nearest.isFetching} onRetry={() => nearest.refetch()} />
        ) : empty ? (
          <NoResults search={search} />
        ) : (
          <div
            role="feed"
            aria-label={copy.members}
            aria-busy={isFetchingNextPage}
            style={{ height: rows.getTotalSize() }}
            className={css.feed}
          >
            {shown.map((item) => {
              const member = members[item.index];
              return (
                member && (
                  <div
                    key={item.key}
                    ref={rows.measureElement}
                    data-index={item.index}
                    className={css.row}
                    style={{ transform: `translateY(${item.start - rows.options.scrollMargin}px)` }}
                  >
                    <ReadCard member={member} position={item.index + 1} total={hasNextPage ? -1 : members.length} />
                  </div>
                )
              );
            })}
          </div>
        )}
        {isFetchingNextPage && !empty && <Skeleton shape="rows" count={2} label={copy.loading} />}
        {!hasNextPage && !empty && <p className={css.end}>{copy.end}</p>}
      </div>
    </>
  );
}
