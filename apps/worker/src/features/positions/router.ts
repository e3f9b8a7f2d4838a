import { characteristicsToBits } from "@lambda/contract/characteristics";
import { AGGREGATES_CACHE_MS, ONLINE_WITHIN_MS } from "@lambda/contract/limits";
import {
  AggregatesQuery,
  BoundsQuery,
  MemberDistance,
  NearbyBriefPage,
  NearestQuery,
  PositionAggregate,
  ProfilePosition,
  ProfilePositionReport,
  SectorQuery,
} from "@lambda/contract/positions";
import { Id, ShownIds } from "@lambda/contract/primitives";
import { z } from "zod";
import { AppError } from "../../errors.ts";
import { type MemberContext, memberProcedure, router } from "../../trpc.ts";
import { likeFiltersOf, listNearestLiked } from "../likes/nearest-liked.ts";
import { groupSquares, listSectorCounts, squaresWithin, toAggregate } from "./aggregates.ts";
import { bornOnOrBefore, toBrief } from "./briefs.ts";
import { decodeCurveCursor } from "./cursor.ts";
import { pointOfKey } from "./curve.ts";
import { listPublished, toMemberDistance } from "./distances.ts";
import { type ListedPage, listByBounds, listBySector, type PageOf } from "./listed.ts";
import { type FoundMember, listNearest, type NearestSearch } from "./nearest.ts";
import { toProfilePosition } from "./queries.ts";
import { centreKeyOf, takeReport } from "./report.ts";
import type { Onlooker, SearchFilters } from "./search-sql.ts";

/** A page without a cursor is found by walking to it; further than this a client has to bring the cursor. */
const WALK_ROWS_MAX = 3000;
/** A search that found nobody yet goes on within one request so often, before the page is handed out empty. */
const WALK_STEPS_MAX = 4;

const onlookerOf = ({ brand, viewer, now }: MemberContext): Onlooker => ({
  brandBit: brand.bit,
  profileId: viewer.profileId,
  now,
});

interface Paging {
  readonly page: number;
  readonly size: number;
  readonly cursor?: string | undefined;
}

/** How many to skip and to read for `page`. Throws BAD_INPUT where that is too far to walk. */
function walkOf({ page, size, cursor }: Paging): { skip: number; read: number } {
  if (cursor !== undefined || page === 0) return { skip: 0, read: size };
  if ((page + 1) * size > WALK_ROWS_MAX) {
    throw new AppError("BAD_INPUT", { field: "page", message: "page: send the cursor of the page before" });
  }
  return { skip: page * size, read: (page + 1) * size };
}

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

async function nearest(ctx: MemberContext, query: NearestQuery): Promise<NearbyBriefPage> {
  const { skip, read } = walkOf(query);
  const centreKey = await centreKeyOf(ctx);
  const search: NearestSearch = {
    centreKey,
    size: read,
    filters: filtersOf(query, ctx),
    ...(query.maxDistanceMeters !== undefined && { maxMetres: query.maxDistanceMeters }),
  };
  const centre = pointOfKey(centreKey);
  const likes = likeFiltersOf(query);
  if (likes.length > 0) {
    const found = await listNearestLiked(ctx.db, onlookerOf(ctx), { ...search, cursor: query.cursor }, likes);
    const items = found.members.slice(skip).map(({ row }) => toBrief(row, centre, ctx.now));
    return { items, nextCursor: found.nextCursor };
  }
  const members: FoundMember[] = [];
  let cursor = query.cursor;
  for (let step = 0; step < WALK_STEPS_MAX; step += 1) {
    const found = await listNearest(ctx.db, onlookerOf(ctx), { ...search, size: read - members.length, cursor });
    members.push(...found.members);
    cursor = found.nextCursor;
    // A page that follows a cursor may be short; one that was walked to by its number has to be whole.
    if (members.length >= (query.page > 0 && query.cursor === undefined ? read : 1) || cursor === undefined) break;
  }
  return { items: members.slice(skip).map(({ row }) => toBrief(row, centre, ctx.now)), nextCursor: cursor };
}

async function listed(
  ctx: MemberContext,
  query: Paging,
  list: (page: PageOf) => Promise<ListedPage>,
): Promise<NearbyBriefPage> {
  const { skip, read } = walkOf(query);
  const after = query.cursor === undefined ? undefined : decodeCurveCursor(query.cursor);
  const { rows, nextCursor } = await list({ size: read, after });
  const centre = pointOfKey(await centreKeyOf(ctx));
  return { items: rows.slice(skip).map((row) => toBrief(row, centre, ctx.now)), nextCursor };
}

export const positionsRouter = router({
  report: memberProcedure
    .meta({ rest: { method: "PUT", path: "/profile-position/{profileId}", summary: "Report the own position" } })
    .input(ProfilePositionReport)
    .output(ProfilePosition)
    .mutation(async ({ ctx, input }) => {
      if (input.profileId !== ctx.viewer.profileId) throw new AppError("NOT_ALLOWED");
      return takeReport(ctx, input);
    }),

  mine: memberProcedure
    .meta({ rest: { method: "GET", path: "/profile-position/{profileId}", summary: "The own position" } })
    .input(z.object({ profileId: Id }))
    // A member who never reported is no error: browsers write each 404 to the console.
    .output(ProfilePosition.nullable())
    .query(({ ctx, input }) => {
      const { viewer, now } = ctx;
      if (input.profileId !== viewer.profileId) throw new AppError("NOT_ALLOWED");
      if (!viewer.position || viewer.position.ts_effective_until <= now) return null;
      return toProfilePosition(viewer.position, viewer.hidden);
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
      const centre = pointOfKey(await centreKeyOf(ctx));
      return { items: rows.map((row) => toMemberDistance(row, centre)) };
    }),

  byBounds: memberProcedure
    .meta({ rest: { method: "GET", path: "/profile-briefs/by-bounds", summary: "Members in a box", list: true } })
    .input(BoundsQuery)
    .output(NearbyBriefPage)
    .query(({ ctx, input }) => listed(ctx, input, (page) => listByBounds(ctx, onlookerOf(ctx), input, page))),

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
      // The north pole belongs to the northernmost row, and 180 degrees east is 180 degrees west.
      const sector = { lat: Math.min(89, Math.floor(input.lat)), lon: input.lon >= 180 ? -180 : Math.floor(input.lon) };
      return listed(ctx, input, (page) => listBySector(ctx.db, onlookerOf(ctx), sector, page));
    }),

  aggregates: memberProcedure
    .meta({ rest: { method: "GET", path: "/profile-positions/aggregates", summary: "Counts by area", list: true } })
    .input(AggregatesQuery)
    .output(z.object({ items: z.array(PositionAggregate) }))
    .query(async ({ ctx, input }) => {
      const { latMin, latMax, lonMin, lonMax, most } = input;
      const all = await listSectorCounts(ctx.d1, onlookerOf(ctx));
      const bounded = latMin !== undefined && latMax !== undefined && lonMin !== undefined && lonMax !== undefined;
      const squares = bounded ? squaresWithin(all, { latMin, latMax, lonMin, lonMax }) : all;
      const updated = ctx.now - (ctx.now % AGGREGATES_CACHE_MS);
      return { items: groupSquares(squares, most).map((square) => toAggregate(square, updated)) };
    }),
});
