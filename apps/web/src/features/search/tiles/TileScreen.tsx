import { LIVE_REFETCH_MS, TILES_PAGE_SIZE, TILES_REFETCH_MS } from "@lambda/contract/limits";
import { Button } from "@lambda/ui/button";
import { Chip } from "@lambda/ui/chip";
import { Skeleton } from "@lambda/ui/skeleton";
import { useEffect, useMemo, useState } from "react";
import { MemberTiles } from "../../../components/MemberTile/MemberTiles.tsx";
import { tonightCopy } from "../../../components/Tonight/copy.ts";
import { useTonight } from "../../../components/Tonight/use-tonight.ts";
import { useCopy } from "../../../format/i18n.ts";
import { optionalPart } from "../../../routing/optional-part.tsx";
import { useComingMembers } from "../../travel/use-coming-members.ts";
import { searchCopy } from "../copy.ts";
import { FilterBar } from "../filters/FilterBar.tsx";
import { useFilters } from "../filters/use-filters.ts";
import { NoResults, QuietAreaNotice, SearchFailed } from "../SearchStates.tsx";
import { useNearest } from "../use-nearest.ts";
import { useLastChangeNearby } from "./use-last-change-nearby.ts";

const ComingStrip = optionalPart(() => import("../../travel/ComingStrip.tsx"));

/** Members as picture tiles, nearest first. Refetched at a long interval as long as no change nearby is announced. */
export default function TileScreen() {
  const copy = useCopy(searchCopy);
  const tonightTexts = useCopy(tonightCopy);
  const search = useFilters();
  const [isQuiet, setQuiet] = useState(false);
  const refetchMs = isQuiet ? LIVE_REFETCH_MS : TILES_REFETCH_MS;
  const nearest = useNearest(search.filters, { size: TILES_PAGE_SIZE, refetchMs });
  const { members, dataUpdatedAt } = nearest;
  const lastChange = useLastChangeNearby(members);
  useEffect(() => setQuiet(lastChange < dataUpdatedAt), [lastChange, dataUpdatedAt]);
  // Enabled with the tiles, so that both share one request batch.
  const comingMembers = useComingMembers(members.length > 0);
  const ids = useMemo(() => members.map(({ profileId }) => profileId), [members]);
  // The same calls as those of the tiles.
  const tonight = useTonight(ids).size;
  const tonightChip = (
    <Chip selected={false} onToggle={() => search.setFilters({ ...search.filters, tonight: true })}>
      {tonightTexts.count(tonight)}
    </Chip>
  );
  return (
    <>
      <FilterBar search={search} {...(tonight > 0 && !search.filters.tonight && { aside: tonightChip })} />
      {nearest.isPending ? (
        <Skeleton shape="tiles" count={TILES_PAGE_SIZE} label={copy.loading} />
      ) : nearest.isError && members.length === 0 ? (
        <SearchFailed query={nearest} />
      ) : members.length === 0 && !nearest.hasNextPage ? (
        <NoResults search={search} />
      ) : (
        <>
          <QuietAreaNotice search={search} nearest={members[0]?.distanceMeters} />
          {comingMembers.length > 0 && <ComingStrip members={comingMembers} />}
          <MemberTiles
            members={members}
            label={copy.members}
            more={
              nearest.hasNextPage && (
                <Button busy={nearest.isFetchingNextPage} onClick={() => nearest.fetchNextPage()}>
                  {copy.loadMore}
                </Button>
              )
            }
          />
          <p className="muted pad-page" role="status">
            {copy.displayed(members.length)}
          </p>
        </>
      )}
    </>
  );
}
