import {
  AGGREGATES_CACHE_MS,
  MARKERS_MAX,
  SECTOR_PAGE_SIZE,
  SECTOR_REFETCH_MS,
  SECTORS_MAX,
} from "@lambda/contract/limits";
import type { NearbyBrief, PositionAggregate } from "@lambda/contract/positions";
import { keepPreviousData } from "@tanstack/react-query";
import { useMemo } from "react";
import { trpc } from "../../../../api/trpc.ts";
import { countMembers, mergeAreas } from "./areas.ts";
import type { MapMember, MapView } from "./map-types.ts";
import {
  countSectors,
  isInView,
  type Sector,
  sectorsIn,
  toWireBounds,
  type ViewBounds,
  widenBounds,
} from "./sectors.ts";
import { useWatchedSquares } from "./use-watched-squares.ts";

/** The finest counts that the server gives. More than ten in view are merged here, where most of their members are. */
const COUNTS_MAX = 60;
/** The shortest refetch interval: a hidden page does not fetch, so an overdue timer must not spin. */
const REFETCH_MIN_MS = 1000;

export interface MapMembers {
  /** All loaded members, in view or near it. Empty while there are too many to show. */
  readonly members: readonly MapMember[];
  /** Those of them who are in view. */
  readonly inView: readonly MapMember[];
  /** Counts by area, where members are not shown individually. */
  readonly areas: readonly PositionAggregate[];
  /** Why members are not shown individually: too many sectors, or too many members in view. */
  readonly hiddenReason: "sectors" | "number" | null;
  readonly loading: boolean;
  readonly failed: boolean;
  /** There is no data of some part of the map. */
  readonly unknown: boolean;
  retry(): void;
}

/** The members in a view, fetched by sector, or their counts by area if they would be too many. */
export function useMapMembers({ bounds: view, zoom }: MapView): MapMembers {
  const isZoomedOut = countSectors(view) > SECTORS_MAX;
  const { queries, members, isTruncated } = useSectorMembers(isZoomedOut ? [] : sectorsIn(view), view);
  const inView = useMemo(
    () => members.filter(({ lat, lon }) => isInView({ lat, lon }, view)).sort(byDistance),
    [members, view],
  );
  const isTooMany = inView.length >= MARKERS_MAX || isTruncated;
  const hiddenReason = isZoomedOut ? "sectors" : isTooMany ? "number" : null;

  const countsQuery = useAreaCounts(view, isZoomedOut);
  const counts = isZoomedOut ? countsQuery.data?.items : undefined;
  const areas = useMemo(() => {
    if (counts) {
      const countsInView = counts.filter((area) => isInView(centerOf(area), view));
      return mergeAreas(countsInView, zoom);
    }
    return isTooMany ? countMembers(inView, zoom) : NO_AREAS;
  }, [counts, isTooMany, inView, zoom, view]);
  const activeQueries = isZoomedOut ? [countsQuery] : queries;
  return {
    members: hiddenReason === null ? members : NOBODY,
    inView: hiddenReason === null ? inView : NOBODY,
    areas,
    hiddenReason,
    loading: activeQueries.some(({ isPending }) => isPending),
    failed: activeQueries.some(({ isError }) => isError),
    unknown: activeQueries.some(({ data }) => data === undefined),
    retry: () => {
      for (const query of activeQueries) void query.refetch();
    },
  };
}

/** Fetches members by sector: at an interval, or only on changes where a socket announces them. */
function useSectorMembers(sectors: readonly Sector[], view: ViewBounds) {
  const isWatched = useWatchedSquares(sectors);
  const sectorQueries = trpc.useQueries((t) =>
    sectors.map((sector) => {
      const { lat, lon } = sector;
      const isLive = isWatched(sector);
      return t.positions.bySector(
        { lat, lon, size: SECTOR_PAGE_SIZE },
        {
          staleTime: isLive ? Number.POSITIVE_INFINITY : SECTOR_REFETCH_MS,
          refetchInterval: isLive ? false : refetchWhenOlderThan(SECTOR_REFETCH_MS),
        },
      );
    }),
  );
  // If a sector has more than one page, the view's bounds are queried in addition.
  const hasFullSector = sectorQueries.some(({ data }) => data?.nextCursor !== undefined);
  const boundsQuery = trpc.positions.byBounds.useQuery(
    { ...toWireBounds(widenBounds(view)), size: SECTOR_PAGE_SIZE },
    { enabled: hasFullSector, refetchInterval: SECTOR_REFETCH_MS, placeholderData: keepPreviousData },
  );
  const lists = [...sectorQueries.map(({ data }) => data?.items), hasFullSector ? boundsQuery.data?.items : undefined];
  // biome-ignore lint/correctness/useExhaustiveDependencies: the lists themselves are the dependencies
  const members = useMemo(() => mergeById(lists), padDependencies(lists));
  return {
    queries: hasFullSector ? [...sectorQueries, boundsQuery] : sectorQueries,
    members,
    isTruncated: hasFullSector && boundsQuery.data?.nextCursor !== undefined,
  };
}

function useAreaCounts(view: ViewBounds, enabled: boolean) {
  return trpc.positions.aggregates.useQuery(
    { ...toWireBounds(widenBounds(view)), most: COUNTS_MAX },
    {
      enabled,
      staleTime: AGGREGATES_CACHE_MS,
      refetchInterval: refetchWhenOlderThan(AGGREGATES_CACHE_MS),
      placeholderData: keepPreviousData,
    },
  );
}

const NOBODY: readonly MapMember[] = [];
const NO_AREAS: readonly PositionAggregate[] = [];

/** A refetch interval that counts from the last update, so that returning to a cached view does not restart it. */
function refetchWhenOlderThan(period: number) {
  return ({ state }: { state: { dataUpdatedAt: number; errorUpdatedAt: number; fetchStatus: string } }) => {
    const updatedAt = Math.max(state.dataUpdatedAt, state.errorUpdatedAt);
    if (updatedAt === 0 || state.fetchStatus !== "idle") return period;
    return Math.max(REFETCH_MIN_MS, updatedAt + period - Date.now());
  };
}

const centerOf = ({ centerLat, centerLon }: PositionAggregate) => ({ lat: centerLat, lon: centerLon });

/** React requires the same number of dependencies in each render. */
function padDependencies(lists: readonly (readonly NearbyBrief[] | undefined)[]): unknown[] {
  return Array.from({ length: SECTORS_MAX + 1 }, (_, i) => lists[i]);
}

/** Merges lists so that each member appears once: a member may have moved between the reads of two sectors. */
function mergeById(lists: readonly (readonly NearbyBrief[] | undefined)[]): MapMember[] {
  const members = new Map<number, MapMember>();
  for (const list of lists) {
    for (const brief of list ?? []) {
      const { lat, lon } = brief;
      if (lat === null || lon === null) console.error("a profile without a position is not shown");
      else members.set(brief.profileId, { ...brief, lat, lon });
    }
  }
  return [...members.values()];
}

function byDistance(a: MapMember, b: MapMember): number {
  return (a.distanceMeters ?? Number.POSITIVE_INFINITY) - (b.distanceMeters ?? Number.POSITIVE_INFINITY);
}
