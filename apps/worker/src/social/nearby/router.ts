import { characteristicsToBits } from "@lambda/contract/characteristics";
import { AGGREGATES_CACHE_MS, ONLINE_WITHIN_MS } from "@lambda/contract/limits";
import {
  AggregatesQuery,
  BoundsQuery,
  MemberDistance,
  NearbyBrief,
  NearbyBriefPage,
  NearestQuery,
  OwnPlaces,
  PositionAggregate,
  ProfilePosition,
  ProfilePositionReport,
  ReportedPosition,
  SectorQuery,
} from "@lambda/contract/positions";
import { Id, ShownIds } from "@lambda/contract/primitives";
import { pointOfKey } from "@lambda/geo/curve";
import type { Point } from "@lambda/geo/distance";
import { z } from "zod";
import { moveOnMap } from "../../places/areas/area.ts";
import { groupSquares, listSectorCounts, squaresWithin, toAggregate } from "../../places/positions/aggregates.ts";
import { bornOnOrBefore, toBrief } from "../../places/positions/briefs.ts";
import { decodeCurveCursor } from "../../places/positions/cursor.ts";
import { listPublished, toMemberDistance } from "../../places/positions/distances.ts";
import { type ListedPage, listByBounds, listBySector, type PageOf } from "../../places/positions/listed.ts";
import { listNamed } from "../../places/positions/named.ts";
import { listNearest } from "../../places/positions/nearest.ts";
import { type Find, type Paging, readPage } from "../../places/positions/numbered-pages.ts";
import { forgetPlaces, readOwnPlaces } from "../../places/positions/places.ts";
import { toProfilePosition } from "../../places/positions/queries.ts";
import { centreKeyOf, takeReport } from "../../places/positions/report.ts";
import { openCursor, sealCursor } from "../../places/positions/sealed-cursor.ts";
import type { FoundRow, Searcher, SearchFilters } from "../../places/positions/statements.ts";
import { AppError } from "../../platform/errors.ts";
import { cornerOf } from "../../platform/map/squares.ts";
import { countShown } from "../../platform/rate-limits/readings.ts";
import { type MemberContext, memberProcedure, router } from "../../platform/trpc.ts";
import { likeFiltersOf, listNearestLiked } from "../likes/nearest-liked.ts";
import { foresee } from "../pictures/find-known.ts";
import { readNews } from "./news.ts";

/** A search that found nobody yet goes on within one request so often, before the page is handed out empty. */
const STEPS_UNTIL_SOMEBODY = 4;

const searcherOf = ({ brand, viewer, now }: MemberContext): Searcher => ({
  brandBit: brand.bit,
  profileId: viewer.profileId,
  now,
});

function filtersOf(query: NearestQuery, { viewer, now }: MemberContext): SearchFilters {
  const { characteristics = [], ageMin, ageMax, hasPicture, onlineNow, unjudged } = query;
  return {
    ...(characteristics.length > 0 && { characteristics: characteristicsToBits(characteristics) }),
    ...(ageMin !== undefined && { bornUntilDay: bornOnOrBefore(ageMin, now) }),
    ...(ageMax !== undefined && { bornFromDay: bornOnOrBefore(ageMax + 1, now) + 1 }),
    ...(hasPicture && { hasPicture }),
    ...(onlineNow && { seenSince: now - ONLINE_WITHIN_MS }),
    ...(unjudged && { unjudgedBy: viewer.profileId }),
  };
}

/** Throws before the page is handed out, where the viewer was shown too many others today. */
function toBriefs(ctx: MemberContext, rows: readonly FoundRow[], centre: Point): NearbyBrief[] {
  countShown(
    ctx,
    rows.map(({ profile_id }) => profile_id),
  );
  return rows.map((row) => toBrief(row, centre, ctx.now));
}

/** A page whose cursors come and go sealed. */
async function readSealedPage<Row>(
  { env, viewer }: MemberContext,
  query: Paging,
  steps: number,
  find: Find<Row>,
): Promise<{ rows: Row[]; nextCursor: string | undefined }> {
  const { page, size, cursor: sealed, ...search } = query;
  const use = { secret: env.POSITION_KEY, profileId: viewer.profileId, search };
  const cursor = sealed === undefined ? undefined : await openCursor(use, sealed);
  const { rows, nextCursor } = await readPage({ page, size, cursor }, steps, find);
  return { rows, nextCursor: nextCursor === undefined ? undefined : await sealCursor(use, nextCursor) };
}

async function nearest(ctx: MemberContext, query: NearestQuery): Promise<NearbyBriefPage> {
  const centreKey = await centreKeyOf(ctx);
  const search = {
    centreKey,
    filters: filtersOf(query, ctx),
    ...(query.maxDistanceMeters !== undefined && { maxMeters: query.maxDistanceMeters }),
  };
  const likes = likeFiltersOf(query);
  const list = likes.length > 0 ? listNearestLiked : listNearest;
  const { rows, nextCursor } = await readSealedPage(ctx, query, STEPS_UNTIL_SOMEBODY, async (size, cursor) => {
    const found = await list(ctx.db, searcherOf(ctx), { ...search, size, cursor }, likes);
    return { rows: found.members.map(({ row }) => row), nextCursor: found.nextCursor };
  });
  const items = toBriefs(ctx, rows, pointOfKey(centreKey));
  foresee(
    ctx,
    items.flatMap(({ profilePicIds }) => profilePicIds.slice(0, 1)),
  );
  return { items, nextCursor };
}

async function listed(
  ctx: MemberContext,
  query: Paging,
  list: (page: PageOf) => Promise<ListedPage>,
): Promise<NearbyBriefPage> {
  const { rows, nextCursor } = await readSealedPage(ctx, query, 1, (size, cursor) =>
    list({ size, after: cursor === undefined ? undefined : decodeCurveCursor(cursor) }),
  );
  const centre = pointOfKey(await centreKeyOf(ctx));
  return { items: toBriefs(ctx, rows, centre), nextCursor };
}

/** Whoever hides or shows themselves, or puts their place somewhere else by hand, asks for it to hold at once. */
const isDeviceMoving = (input: unknown) => {
  const { use, hide } = (input ?? {}) as { use?: unknown; hide?: unknown };
  return use === "DEVICE_GPS" && hide === undefined;
};

export const positionsRouter = router({
  report: memberProcedure
    .meta({
      rest: { method: "PUT", path: "/profile-position/{profileId}", summary: "Report the own position" },
      hidesNothing: isDeviceMoving,
    })
    .input(ProfilePositionReport)
    .output(ReportedPosition)
    .mutation(async ({ ctx, input }) => {
      if (input.profileId !== ctx.viewer.profileId) throw new AppError("NOT_ALLOWED");
      return takeReport(ctx, input, moveOnMap);
    }),

  mine: memberProcedure
    .meta({ rest: { method: "GET", path: "/profile-position/{profileId}", summary: "The own position" } })
    .input(z.object({ profileId: Id }))
    // A member who never reported is no error: browsers write each 404 to the console.
    .output(ProfilePosition.nullable())
    .query(async ({ ctx, input }) => {
      const { viewer, now } = ctx;
      if (input.profileId !== viewer.profileId) throw new AppError("NOT_ALLOWED");
      if (!viewer.position || viewer.position.ts_effective_until <= now) return null;
      return toProfilePosition(viewer.position, viewer.hidden, (await readOwnPlaces(ctx)).lattice);
    }),

  places: memberProcedure
    .meta({
      rest: {
        method: "GET",
        path: "/profile-position/{profileId}/places",
        summary: "Where the own cells lie, and which are remembered",
      },
    })
    .input(z.object({ profileId: Id }))
    .output(OwnPlaces)
    .query(({ ctx, input }) => {
      if (input.profileId !== ctx.viewer.profileId) throw new AppError("NOT_ALLOWED");
      return readOwnPlaces(ctx);
    }),

  forgetPlaces: memberProcedure
    .meta({
      rest: {
        method: "DELETE",
        path: "/profile-position/{profileId}/places",
        summary: "Forget which cells stand for the own places",
      },
    })
    .input(z.object({ profileId: Id }))
    .output(OwnPlaces)
    .mutation(({ ctx, input }) => {
      if (input.profileId !== ctx.viewer.profileId) throw new AppError("NOT_ALLOWED");
      return forgetPlaces(ctx);
    }),

  nearest: memberProcedure
    .meta({ rest: { method: "GET", path: "/profile-briefs/nearest", summary: "Members by distance", list: true } })
    .input(NearestQuery)
    .output(NearbyBriefPage)
    .query(({ ctx, input }) => nearest(ctx, input)),

  distances: memberProcedure
    .meta({
      rest: {
        method: "GET",
        path: "/profile-positions/distances",
        summary: "How far these members are",
        list: true,
      },
    })
    .input(z.object({ profileIds: ShownIds }))
    .output(z.object({ items: z.array(MemberDistance) }))
    .query(async ({ ctx, input }) => {
      const rows = await listPublished(ctx.db, ctx, input.profileIds, ctx.now);
      countShown(
        ctx,
        rows.map(({ profile_id }) => profile_id),
      );
      const centre = pointOfKey(await centreKeyOf(ctx));
      return { items: rows.map((row) => toMemberDistance(row, centre)) };
    }),

  byBounds: memberProcedure
    .meta({ rest: { method: "GET", path: "/profile-briefs/by-bounds", summary: "Members in a box", list: true } })
    .input(BoundsQuery)
    .output(NearbyBriefPage)
    .query(({ ctx, input }) => listed(ctx, input, (page) => listByBounds(ctx.db, searcherOf(ctx), input, page))),

  bySector: memberProcedure
    .meta({
      rest: {
        method: "GET",
        path: "/profile-briefs/by-sector/{lat}:{lon}",
        summary: "Members in a degree",
        list: true,
      },
    })
    .input(SectorQuery)
    .output(NearbyBriefPage)
    .query(({ ctx, input }) => {
      return listed(ctx, input, (page) => listBySector(ctx.db, searcherOf(ctx), cornerOf(input), page));
    }),

  byIds: memberProcedure
    .meta({
      rest: {
        method: "GET",
        path: "/profile-briefs/by-ids",
        summary: "These members, as far as they are on the map",
        list: true,
      },
    })
    .input(z.object({ profileIds: ShownIds }))
    .output(z.object({ items: z.array(NearbyBrief) }))
    .query(async ({ ctx, input }) => {
      const rows = await listNamed(ctx.db, searcherOf(ctx), input.profileIds);
      return { items: toBriefs(ctx, rows, pointOfKey(await centreKeyOf(ctx))) };
    }),

  /** For a page that is told of changes by a socket: whether anybody was hidden from anybody since its mark, of which no row says whom. */
  news: memberProcedure
    .meta({
      rest: {
        method: "GET",
        path: "/profile-briefs/news",
        summary: "Whether what was read since a mark may be out of date",
      },
    })
    .input(z.object({ mark: z.string().max(200).optional() }))
    .output(z.object({ mark: z.string(), changed: z.boolean() }))
    .query(({ ctx, input }) => readNews(ctx, input.mark)),

  aggregates: memberProcedure
    .meta({ rest: { method: "GET", path: "/profile-positions/aggregates", summary: "Counts by area", list: true } })
    .input(AggregatesQuery)
    .output(z.object({ items: z.array(PositionAggregate) }))
    .query(async ({ ctx, input }) => {
      const { latMin, latMax, lonMin, lonMax, most } = input;
      const all = await listSectorCounts(ctx.d1, searcherOf(ctx));
      const bounded = latMin !== undefined && latMax !== undefined && lonMin !== undefined && lonMax !== undefined;
      const squares = bounded ? squaresWithin(all, { latMin, latMax, lonMin, lonMax }) : all;
      const updated = ctx.now - (ctx.now % AGGREGATES_CACHE_MS);
      return { items: groupSquares(squares, most).map((square) => toAggregate(square, updated)) };
    }),
});
