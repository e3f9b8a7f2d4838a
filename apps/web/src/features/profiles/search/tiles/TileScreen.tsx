import { LIVE_REFETCH_MS, SQUARES_WATCHED_MAX, TILES_PAGE_SIZE, TILES_REFETCH_MS } from "@lambda/contract/limits";
import type { NearbyBrief } from "@lambda/contract/positions";
import { Button } from "@lambda/ui/button";
import { Chip } from "@lambda/ui/chip";
import { Skeleton } from "@lambda/ui/skeleton";
import { useEffect, useMemo, useState } from "react";
import { connectSocket } from "../../../../api/socket.ts";
import { MemberTiles } from "../../../../components/MemberTile/MemberTiles.tsx";
import { useTonightCopy } from "../../../../components/Tonight/copy.ts";
import { dayPart } from "../../../../components/Tonight/day-part.ts";
import { useTonight } from "../../../../components/Tonight/use-tonight.ts";
import { useDeviceValue } from "../../../../device/device-storage.ts";
import { serverNow } from "../../../../device/server-clock.ts";
import { TILE_SIZE } from "../../../../device/tile-size.ts";
import { optionalPart } from "../../../../routing/optional-part.tsx";
import { useComingMembers } from "../../../places/travel/use-coming-members.ts";
import { useSearchCopy } from "../copy.ts";
import { FilterBar } from "../filters/FilterBar.tsx";
import { useFilters } from "../filters/use-filters.ts";
import { NoResults, QuietAreaNotice, SearchFailed } from "../SearchStates.tsx";
import { useNearest } from "../use-nearest.ts";

const ComingStrip = optionalPart(() => import("../../../places/travel/ComingStrip.tsx"));

/** Members as picture tiles, nearest first. Refetched at a long interval as long as no change nearby is announced. */
export default function TileScreen() {
  const copy = useSearchCopy();
  const tonightTexts = useTonightCopy();
  const search = useFilters();
  const isLarge = useDeviceValue(TILE_SIZE)[0] === "large";
  const [isQuiet, setQuiet] = useState(false);
  const refetchMs = isQuiet ? LIVE_REFETCH_MS : TILES_REFETCH_MS;
  const nearest = useNearest(search.filters, { size: TILES_PAGE_SIZE, refetchMs, onlineFirst: true });
  const { members, dataUpdatedAt } = nearest;
  const lastChange = useLastChangeNearby(members);
  useEffect(() => setQuiet(lastChange < dataUpdatedAt), [lastChange, dataUpdatedAt]);
  // Enabled with the tiles, so that both share one request batch.
  const comingMembers = useComingMembers(members.length > 0);
  const ids = useMemo(() => members.map(({ profileId }) => profileId), [members]);
  // The same calls as those of the tiles.
  const tonight = useTonight(ids).size;
  const tonightChip = (
    <Chip
      selected={false}
      label={tonightTexts.count[dayPart(serverNow())](tonight)}
      onToggle={() => search.setFilters({ ...search.filters, tonight: true })}
    />
  );
  return (
    <>
      <FilterBar search={search} {...(tonight > 0 && !search.filters.tonight && { aside: tonightChip })} />
      {nearest.isPending || (members.length === 0 && nearest.isLooking) ? (
        <Skeleton shape="tiles" count={TILES_PAGE_SIZE} label={copy.loading} large={isLarge} />
      ) : nearest.isError && members.length === 0 ? (
        <SearchFailed query={nearest} />
      ) : members.length === 0 ? (
        <NoResults search={search} onFarther={nearest.hasNextPage && nearest.lookFarther} />
      ) : (
        <>
          <QuietAreaNotice search={search} nearest={members[0]?.distanceMeters} />
          {comingMembers.length > 0 && <ComingStrip members={comingMembers} />}
          <MemberTiles
            members={members}
            label={copy.members}
            large={isLarge}
            more={
              nearest.hasNextPage && (
                <Button
                  busy={nearest.isFetchingNextPage}
                  label={copy.loadMore}
                  onClick={() => nearest.fetchNextPage()}
                />
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

/** The keys of the squares that these members are in. Empty if there are too many to watch. */
function squaresOf(members: readonly NearbyBrief[]): string {
  const names = new Set<string>();
  for (const { lat, lon } of members)
    if (lat !== null && lon !== null) names.add(`lat=${Math.floor(lat)}&lon=${Math.floor(lon)}`);
  return names.size <= SQUARES_WATCHED_MAX ? [...names].sort().join(" ") : "";
}

/** The time in ms at which a socket last announced a change in the squares of these members. `Infinity` until all sockets are ready. */
function useLastChangeNearby(members: readonly NearbyBrief[]): number {
  const squares = squaresOf(members);
  const [lastChange, setLastChange] = useState(Number.POSITIVE_INFINITY);
  useEffect(() => {
    if (squares === "") return;
    const names = squares.split(" ");
    const ready = new Set<string>();
    const sockets = names.map((name) =>
      connectSocket({
        path: () => `/ws/map?${name}`,
        onReady: () => {
          ready.add(name);
          // Changes before this moment may have been missed.
          if (ready.size === names.length) setLastChange(Date.now());
        },
        onLost: () => {
          ready.delete(name);
          setLastChange(Number.POSITIVE_INFINITY);
        },
        onEvent: ({ type }) => {
          if (type === "around" && ready.size === names.length) setLastChange(Date.now());
        },
      }),
    );
    return () => {
      setLastChange(Number.POSITIVE_INFINITY);
      for (const socket of sockets) socket.close();
    };
  }, [squares]);
  return lastChange;
}
