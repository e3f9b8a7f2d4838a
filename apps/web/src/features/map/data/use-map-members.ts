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
import { trpc } from "../../../api/trpc.ts";
import { countMembers, mergeAreas } from "./areas.ts";
import type { MapMember, MapView } from "./map-types.ts";
import { countSectors, isInView, sectorsOf, widenBounds, wireBounds } from "./sectors.ts";
import { useWatchedSquares } from "./use-watched-squares.ts";

/** Counts as fine as the server tells them; more than ten in sight are grouped here, around where most of the members are. */
const COUNTS_MAX = 60;
/** In a window out of sight nothing is fetched, and its timers need not run for it. */
const REFETCH_MIN_MS = 1000;

export interface MapMembers {
  /** Everybody that is loaded, in view or close to it; empty while too many are. */
  readonly members: readonly MapMember[];
  /** Of them, those in view. */
  readonly inView: readonly MapMember[];
  /** Counts by area, where members are not shown one by one. */
  readonly areas: readonly PositionAggregate[];
  /** Why nobody is shown: more than 20 sectors, or 800 or more in view. */
  readonly hiddenBy: "sectors" | "number" | null;
  readonly loading: boolean;
  readonly failed: boolean;
  /** Offline, and of this part of the map nothing is known. */
  readonly unknown: boolean;
  retry(): void;
}

/**
 * Who is on this part of the map: by sectors of a degree, fetched anew every 15 s, or where a socket tells who changed; by counts when that
 * would be too many.
 */
export function useMapMembers({ bounds: view, zoom }: MapView): MapMembers {
  const tooFar = countSectors(view) > SECTORS_MAX;
  const sectors = tooFar ? [] : sectorsOf(view);
  const isWatched = useWatchedSquares(sectors);
  const answers = trpc.useQueries((t) =>
    sectors.map((sector) => {
      const { lat, lon } = sector;
      const live = isWatched(sector);
      return t.positions.bySector(
        { lat, lon, size: SECTOR_PAGE_SIZE },
        {
          staleTime: live ? Number.POSITIVE_INFINITY : SECTOR_REFETCH_MS,
          refetchInterval: live ? false : every(SECTOR_REFETCH_MS),
        },
      );
    }),
  );
  // A sector that holds more than a page is read by what the window shows instead.
  const crowded = answers.some(({ data }) => data?.nextCursor !== undefined);
  const window = trpc.positions.byBounds.useQuery(
    { ...wireBounds(widenBounds(view)), size: SECTOR_PAGE_SIZE },
    { enabled: crowded, refetchInterval: SECTOR_REFETCH_MS, placeholderData: keepPreviousData },
  );
  const lists = [...answers.map(({ data }) => data?.items), crowded ? window.data?.items : undefined];
  // biome-ignore lint/correctness/useExhaustiveDependencies: the lists themselves are the dependencies
  const members = useMemo(() => joined(lists), padded(lists));
  const inView = useMemo(
    () => members.filter(({ lat, lon }) => isInView({ lat, lon }, view)).sort(byDistance),
    [members, view],
  );
  const tooMany = inView.length >= MARKERS_MAX || (crowded && window.data?.nextCursor !== undefined);
  const hiddenBy = tooFar ? "sectors" : tooMany ? "number" : null;

  const areas = trpc.positions.aggregates.useQuery(
    { ...wireBounds(widenBounds(view)), most: COUNTS_MAX },
    {
      enabled: tooFar,
      staleTime: AGGREGATES_CACHE_MS,
      refetchInterval: every(AGGREGATES_CACHE_MS),
      placeholderData: keepPreviousData,
    },
  );
  const counts = tooFar ? areas.data?.items : undefined;
  const shownAreas = useMemo(() => {
    if (counts) {
      const inSight = counts.filter((area) => isInView(centreOf(area), view));
      return mergeAreas(inSight, zoom);
    }
    return tooMany ? countMembers(inView, zoom) : NO_AREAS;
  }, [counts, tooMany, inView, zoom, view]);
  const used = tooFar ? [areas] : answers;
  return {
    members: hiddenBy === null ? members : NOBODY,
    inView: hiddenBy === null ? inView : NOBODY,
    areas: shownAreas,
    hiddenBy,
    loading: used.some(({ isPending, isError, isPaused }) => isPending && !isError && !isPaused),
    failed: used.some(({ isError }) => isError),
    unknown: used.some(({ isPending, isPaused }) => isPending && isPaused),
    retry: () => {
      for (const query of used) void query.refetch();
    },
  };
}

const NOBODY: readonly MapMember[] = [];
const NO_AREAS: readonly PositionAggregate[] = [];

/** Answers kept from before are as old as they are: coming back to a place does not start their time anew. */
function every(period: number) {
  return ({ state }: { state: { dataUpdatedAt: number; errorUpdatedAt: number; fetchStatus: string } }) => {
    const updatedAt = Math.max(state.dataUpdatedAt, state.errorUpdatedAt);
    if (updatedAt === 0 || state.fetchStatus !== "idle") return period;
    return Math.max(REFETCH_MIN_MS, updatedAt + period - Date.now());
  };
}

function centreOf({ centerLat, centerLon }: PositionAggregate) {
  return { lat: centerLat, lon: centerLon };
}

/** React wants the same number of dependencies each time. */
function padded(lists: readonly (readonly NearbyBrief[] | undefined)[]): unknown[] {
  return Array.from({ length: SECTORS_MAX + 1 }, (_, i) => lists[i]);
}

/** Each member once: two sectors may have been read at two times, between which the member moved. */
function joined(lists: readonly (readonly NearbyBrief[] | undefined)[]): MapMember[] {
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
