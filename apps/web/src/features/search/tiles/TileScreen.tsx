import { LIVE_REFETCH_MS, TILES_PAGE_SIZE, TILES_REFETCH_MS } from "@lambda/contract/limits";
import { Button } from "@lambda/ui/button";
import { Skeleton } from "@lambda/ui/skeleton";
import { lazy, Suspense, useEffect, useState } from "react";
import { MemberTiles } from "../../../components/MemberTile/MemberTiles.tsx";
import { useCopy } from "../../../format/i18n.ts";
import { useComing } from "../../travel/use-coming.ts";
import { searchCopy } from "../copy.ts";
import { FilterBar } from "../filters/FilterBar.tsx";
import { useFilters } from "../filters/use-filters.ts";
import { FarAway, NobodyHere, SearchFailed } from "../SearchStates.tsx";
import { useNearest } from "../use-nearest.ts";
import css from "./tile-screen.module.css";
import { useChangeAround } from "./use-change-around.ts";

const ComingStrip = lazy(() => import("../../travel/ComingStrip.tsx"));

/** Members nearby as picture tiles, the nearest first. While nobody around changes they are asked for anew at the long interval alone. */
export default function TileScreen() {
  const copy = useCopy(searchCopy);
  const search = useFilters();
  const [isQuiet, setQuiet] = useState(false);
  const refetchMs = isQuiet ? LIVE_REFETCH_MS : TILES_REFETCH_MS;
  const nearest = useNearest(search.filters, { size: TILES_PAGE_SIZE, refetchMs });
  const { members, dataUpdatedAt } = nearest;
  const changed = useChangeAround(members);
  useEffect(() => setQuiet(changed < dataUpdatedAt), [changed, dataUpdatedAt]);
  // In one request with what the tiles ask.
  const coming = useComing(members.length > 0);
  return (
    <>
      <FilterBar search={search} />
      {nearest.isPending ? (
        <Skeleton shape="tiles" count={TILES_PAGE_SIZE} label={copy.loading} />
      ) : nearest.isError && members.length === 0 ? (
        <SearchFailed error={nearest.error} retrying={nearest.isFetching} onRetry={() => nearest.refetch()} />
      ) : members.length === 0 && !nearest.hasNextPage ? (
        <NobodyHere search={search} />
      ) : (
        <>
          <FarAway search={search} nearest={members[0]?.distanceMeters} />
          {coming.length > 0 && (
            <Suspense>
              <ComingStrip members={coming} />
            </Suspense>
          )}
          <MemberTiles members={members} label={copy.members} />
          <div className={css.foot}>
            <p role="status">{copy.displayed(members.length)}</p>
            {nearest.hasNextPage && (
              <Button busy={nearest.isFetchingNextPage} onClick={() => nearest.fetchNextPage()}>
                {copy.loadMore}
              </Button>
            )}
          </div>
        </>
      )}
    </>
  );
}
