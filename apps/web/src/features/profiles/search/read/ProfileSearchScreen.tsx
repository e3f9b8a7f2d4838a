import { SEARCH_PAGE_SIZE, SEARCH_REFETCH_MS } from "@lambda/contract/limits";
import type { NearbyBrief } from "@lambda/contract/positions";
import { Button } from "@lambda/ui/button";
import { Skeleton } from "@lambda/ui/skeleton";
import { useMemo } from "react";
import { useNewMembers } from "../../../../components/MemberTile/use-new-members.ts";
import { useLoadMore } from "../../../../components/use-load-more.ts";
import { useWindowRows } from "../../../../components/use-window-rows.ts";
import { useCardCopy } from "../cards/copy.ts";
import { useSearchCopy } from "../copy.ts";
import { FilterBar } from "../filters/FilterBar.tsx";
import { useFilters } from "../filters/use-filters.ts";
import { NoResults, SearchFailed } from "../SearchStates.tsx";
import { useNearest } from "../use-nearest.ts";
import { ReadCard } from "./ReadCard.tsx";
import css from "./read.module.css";

/** Estimated height of a card until it is measured. */
const CARD_PX = 320;
/** How many cards before the end the next page is loaded. */
const CARDS_AHEAD = 4;

/** Full profiles in order of distance. The next page loads before the end is reached. */
export default function ProfileSearchScreen() {
  const copy = useSearchCopy();
  const card = useCardCopy();
  const search = useFilters();
  const nearest = useNearest(search.filters, { size: SEARCH_PAGE_SIZE, refetchMs: SEARCH_REFETCH_MS });
  const { members, hasNextPage, isFetchingNextPage } = nearest;
  const { list, rows, lastIndex, height } = useWindowRows<NearbyBrief, HTMLDivElement>({
    items: members,
    keyOf: ({ profileId }) => profileId,
    rowPx: CARD_PX,
    overscan: CARDS_AHEAD,
  });
  const isNew = useNewMembers(
    useMemo(() => members.map(({ profileId }) => profileId), [members]),
    0,
    lastIndex + 1,
  );
  useLoadMore(lastIndex >= members.length - CARDS_AHEAD, nearest);

  const empty = members.length === 0;
  return (
    <>
      <FilterBar search={search} />
      <div ref={list} className={`centered ${css.screen}`}>
        {nearest.isError && empty ? (
          <SearchFailed query={nearest} />
        ) : nearest.isPending || (empty && (nearest.isLooking || isFetchingNextPage)) ? (
          <Skeleton shape="rows" count={6} label={copy.loading} />
        ) : empty ? (
          <NoResults search={search} onFarther={hasNextPage && nearest.lookFarther} />
        ) : (
          <div
            role="feed"
            aria-label={copy.members}
            aria-busy={isFetchingNextPage}
            style={{ height }}
            className="relative"
          >
            {rows.map(({ item: member, index, key, props }) => (
              <div key={key} className={css.row} {...props}>
                <ReadCard
                  member={member}
                  members={members}
                  isNew={isNew.has(member.profileId)}
                  position={index + 1}
                  total={hasNextPage ? -1 : members.length}
                />
              </div>
            ))}
          </div>
        )}
        {nearest.isFetchNextPageError && !empty && (
          <p className={`muted ${css.end}`}>
            <Button label={card.retry} onClick={() => nearest.fetchNextPage()} />
          </p>
        )}
        {isFetchingNextPage && !empty && <Skeleton shape="rows" count={2} label={copy.loading} />}
        {!hasNextPage && !empty && <p className={`muted ${css.end}`}>{card.end}</p>}
      </div>
    </>
  );
}
