import { characteristicsToBits } from "@lambda/contract/characteristics";
import { AGGREGATES_CACHE_MS, LIVE_REFETCH_MS, ONLINE_WITHIN_MS } from "@lambda/contract/limits";
import {
  AggregatesQuery,
  BoundsQuery,
  MemberDistance,
  NearbyBrief,
  NearbyBriefPage,
  NearestQuery,
  NewMember,
  PositionAggregate,
  SectorQuery,
} from "@lambda/contract/positions";
import { ProfileIds } from "@lambda/contract/primitives";
import { isWithinBounds } from "@lambda/geo/cover";
import { pointOfKey } from "@lambda/geo/curve";
import type { Point } from "@lambda/geo/distance";
import { z } from "zod";
import { prefetchPictureRights } from "../../pictures/cached-rights.ts";
import { groupSquares, listSectorCounts, squaresWithin, toAggregate } from "../../places/positions/aggregates.ts";
import { bornOnOrBefore, toBrief } from "../../places/positions/briefs.ts";
import { type CurvePage, listByBounds, listBySector, type PageRequest } from "../../places/positions/by-bounds.ts";
import { listByIds } from "../../places/positions/by-ids.ts";
import { decodeCurveCursor, decryptCursor, encryptCursor } from "../../places/positions/cursor.ts";
import { listPublishedPositions, toMemberDistance } from "../../places/positions/distances.ts";
import { hasFilters, type SearchFilters } from "../../places/positions/filters.ts";
import { listNearest, type NearestPage, type NearestSearch } from "../../places/positions/nearest.ts";
import { listNearestMatching } from "../../places/positions/nearest-matching.ts";
import { listNewMembers } from "../../places/positions/new-members.ts";
import { type Find, type Paging, readPage } from "../../places/positions/numbered-pages.ts";
import { centerKeyOf } from "../../places/positions/report.ts";
import { ownPositionProcedures } from "../../places/positions/router.ts";
import { addToCurvePage, addToNearest, listShown } from "../../places/positions/statements/shown.ts";
import type { FoundRow } from "../../places/positions/statements.ts";
import { logFault } from "../../platform/log.ts";
import { cornerOf } from "../../platform/map/squares.ts";
import type { FeedPosition } from "../../platform/objects.ts";
import { countShown } from "../../platform/rate-limits/usage.ts";
import { regionOf } from "../../platform/replication/regions.ts";
import { fetchRegionNews } from "../../platform/replication/watermarks.ts";
import { type MemberContext, memberList, memberProcedure, router } from "../../platform/trpc.ts";
import type { Searcher } from "../../visibility/visibility.ts";
import { likeFiltersOf, listNearestLiked } from "../likes/nearest-liked.ts";
import { likedCondition } from "../likes/statements.ts";

const toSearcher = ({ brand, viewer, now }: MemberContext): Searcher => ({
  brandBit: brand.bit,
  profileId: viewer.profileId,
  now,
});

function toFilters(query: NearestQuery, { now }: MemberContext): SearchFilters {
  const { characteristics = [], ageMin, ageMax, hasPicture, onlineNow, unjudged, tonight, checked } = query;
  const { newHere, notTalkedTo } = query;
  return {
    ...(characteristics.length > 0 && { characteristics: characteristicsToBits(characteristics) }),
    ...(ageMin !== undefined && { bornUntilDay: bornOnOrBefore(ageMin, now) }),
    ...(ageMax !== undefined && { bornFromDay: bornOnOrBefore(ageMax + 1, now) + 1 }),
    ...(hasPicture && { hasPicture }),
    ...(onlineNow && { seenSince: now - ONLINE_WITHIN_MS }),
    ...(unjudged && { unjudged }),
    ...(tonight && { tonight }),
    ...(checked && { checked }),
    ...(newHere && { newHere }),
    ...(notTalkedTo && { notTalkedTo }),
  };
}

/** Throws instead of returning the page when the viewer was shown too many other members today. */
function toBriefs(ctx: MemberContext, rows: readonly FoundRow[], center: Point): NearbyBrief[] {
  countShown(
    ctx,
    rows.map(({ profile_id }) => profile_id),
  );
  return rows.map((row) => toBrief(row, center, ctx.now));
}

async function readEncryptedPage<Row>(
  ctx: MemberContext,
  query: Paging,
  find: Find<Row>,
): Promise<{ rows: Row[]; nextCursor: string | undefined }> {
  const { env, viewer, brand, now } = ctx;
  const { page, size, cursor: encrypted, ...search } = query;
  const use = { env, profileId: viewer.profileId, search };
  const cursor = encrypted === undefined ? undefined : decryptCursor(use, encrypted);
  const scope = { search: JSON.stringify([viewer.profileId, brand.bit, centerKeyOf(ctx), size, search]), now };
  const { rows, nextCursor } = await readPage({ page, size, cursor }, scope, find);
  return { rows, nextCursor: nextCursor === undefined ? undefined : encryptCursor(use, nextCursor) };
}

async function listNearestPage(ctx: MemberContext, query: NearestQuery): Promise<NearbyBriefPage> {
  const centerKey = centerKeyOf(ctx);
  const filters = toFilters(query, ctx);
  const search = {
    centerKey,
    ...(query.maxDistanceMeters !== undefined && { maxMeters: query.maxDistanceMeters }),
  };
  const likes = likeFiltersOf(query);
  const isFiltered = likes.length === 0 && hasFilters(filters);
  const list = (page: NearestSearch, step: number): Promise<NearestPage> => {
    if (likes.length > 0) return listNearestLiked(ctx.db, toSearcher(ctx), { ...page, filters }, likes);
    if (isFiltered) return listNearestMatching(ctx.db, toSearcher(ctx), { ...page, filters }, step);
    return listNearest(ctx.db, toSearcher(ctx), page);
  };
  let shown: Promise<FoundRow[]> | undefined;
  const find: Find<FoundRow> = async (size, cursor, step) => {
    // Both start together, so that their first reads are one round trip.
    const page = list({ ...search, size, cursor }, step);
    shown ??= listShown(ctx.db, ctx, filters, likedCondition(likes));
    const [found, more] = await Promise.all([page, shown]);
    const { members, nextCursor: next } = addToNearest(found, more, { ...search, size, cursor });
    return { rows: members.map(({ row }) => row), nextCursor: next };
  };
  const { rows, nextCursor } = await readEncryptedPage(ctx, query, find);
  const items = toBriefs(ctx, rows, pointOfKey(centerKey));
  prefetchPictureRights(
    ctx,
    items.flatMap(({ profilePicIds }) => profilePicIds.slice(0, 1)),
  );
  return { items, nextCursor };
}

async function listPage(
  ctx: MemberContext,
  query: Paging,
  list: (page: PageRequest) => Promise<CurvePage>,
  isInside: (point: Point) => boolean,
): Promise<NearbyBriefPage> {
  let shown: Promise<FoundRow[]> | undefined;
  const { rows, nextCursor } = await readEncryptedPage(ctx, query, async (size, cursor) => {
    const request = { size, after: cursor === undefined ? undefined : decodeCurveCursor(cursor) };
    const page = list(request);
    shown ??= listShown(ctx.db, ctx);
    const [found, more] = await Promise.all([page, shown]);
    return addToCurvePage(found, more, request, ({ key }) => isInside(pointOfKey(key)));
  });
  const center = pointOfKey(centerKeyOf(ctx));
  return { items: toBriefs(ctx, rows, center), nextCursor };
}

/** What a search answers, beside what a member stores of their own position. */
export const positionsRouter = router({
  ...ownPositionProcedures,

  nearest: memberProcedure("GET /profile-briefs/nearest", "Members by distance", { list: true })
    .input(NearestQuery)
    .output(NearbyBriefPage)
    .query(({ ctx, input }) => listNearestPage(ctx, input)),

  newAmong: memberList("GET /profile-briefs/new-among", "Which of these members are new", NewMember)
    .input(z.object({ profileIds: ProfileIds }))
    .query(async ({ ctx, input }) => {
      const rows = await listNewMembers(ctx.db, ctx, input.profileIds, ctx.now);
      countShown(
        ctx,
        rows.map(({ profile_id }) => profile_id),
      );
      return { items: rows.map((row) => ({ profileId: row.profile_id })) };
    }),

  distances: memberList("GET /profile-positions/distances", "How far away these members are", MemberDistance)
    .input(z.object({ profileIds: ProfileIds }))
    .query(async ({ ctx, input }) => {
      const rows = await listPublishedPositions(ctx.db, ctx, input.profileIds, ctx.now);
      countShown(
        ctx,
        rows.map(({ profile_id }) => profile_id),
      );
      const center = pointOfKey(centerKeyOf(ctx));
      return { items: rows.map((row) => toMemberDistance(row, center)) };
    }),

  byBounds: memberProcedure("GET /profile-briefs/by-bounds", "Members in a bounding box", { list: true })
    .input(BoundsQuery)
    .output(NearbyBriefPage)
    .query(({ ctx, input }) =>
      listPage(
        ctx,
        input,
        (page) => listByBounds(ctx.db, toSearcher(ctx), input, page),
        (point) => isWithinBounds(point, input),
      ),
    ),

  bySector: memberProcedure("GET /profile-briefs/by-sector/{lat}:{lon}", "Members in a sector", { list: true })
    .input(SectorQuery)
    .output(NearbyBriefPage)
    .query(({ ctx, input }) => {
      const corner = cornerOf(input);
      const isInSector = (point: Point) => {
        const { lat, lon } = cornerOf(point);
        return lat === corner.lat && lon === corner.lon;
      };
      return listPage(ctx, input, (page) => listBySector(ctx.db, toSearcher(ctx), corner, page), isInSector);
    }),

  byIds: memberList("GET /profile-briefs/by-ids", "Those of these members who are on the map", NearbyBrief)
    .input(z.object({ profileIds: ProfileIds }))
    .query(async ({ ctx, input }) => {
      const [listed, shown] = await Promise.all([
        listByIds(ctx.db, toSearcher(ctx), input.profileIds),
        listShown(ctx.db, ctx),
      ]);
      const rows = [...listed, ...shown.filter((row) => input.profileIds.includes(row.profile_id))];
      return { items: toBriefs(ctx, rows, pointOfKey(centerKeyOf(ctx))) };
    }),

  /** For a page that gets changes over a socket: whether anything may have been hidden from anybody since its mark. Does not say whom. */
  changedSince: memberProcedure("GET /profile-briefs/news", "Whether anything read since a mark may be out of date")
    .input(z.object({ mark: z.string().max(200).optional() }))
    .output(z.object({ mark: z.string(), changed: z.boolean() }))
    .query(({ ctx, input }) => checkHiddenSince(ctx, input.mark)),

  aggregates: memberList("GET /profile-positions/aggregates", "Member counts by area", PositionAggregate)
    .input(AggregatesQuery)
    .query(async ({ ctx, input }) => {
      const { latMin, latMax, lonMin, lonMax, most } = input;
      const all = await listSectorCounts(ctx.d1, toSearcher(ctx));
      const bounded = latMin !== undefined && latMax !== undefined && lonMin !== undefined && lonMax !== undefined;
      const squares = bounded ? squaresWithin(all, { latMin, latMax, lonMin, lonMax }) : all;
      const updated = ctx.now - (ctx.now % AGGREGATES_CACHE_MS);
      return { items: groupSquares(squares, most).map((square) => toAggregate(square, updated)) };
    }),
});

/**
 * Whether the region learned, between a mark and the last time at which pages ask, of a change that may hide somebody: whoever asks every
 * second must not see when somebody acts. The mark is encrypted because it counts these changes. `changed` is true whenever it cannot be known.
 */
async function checkHiddenSince({ env, request, viewer, now }: MemberContext, encryptedMark: string | undefined) {
  const use = { env, profileId: viewer.profileId, search: { news: true } };
  const since = encryptedMark ? parseMark(decryptCursor(use, encryptedMark, "mark")) : null;
  try {
    const { mark, changed } = await fetchRegionNews(env, request, since, now - (now % LIVE_REFETCH_MS));
    return { mark: encryptCursor(use, `${mark.life} ${mark.at}`), changed };
  } catch (error) {
    logFault({ event: "news", code: regionOf(request) }, error);
    return { mark: "", changed: true };
  }
}

function parseMark(text: string): FeedPosition | null {
  const [life, at] = text.split(" ");
  return life && at ? { life, at: Number(at) } : null;
}
