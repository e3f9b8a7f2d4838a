import type { Bounds } from "@lambda/geo/distance";
import { type Cell, isCell, PRECISIONS } from "@lambda/geo/grid";
import { z } from "zod";
import {
  AGE_MAX_YEARS,
  AGE_MIN_YEARS,
  AGGREGATE_CELLS_MAX,
  BOUNDS_PAGE_SIZE,
  SECTOR_PAGE_SIZE,
  TILES_PAGE_SIZE,
} from "./limits.ts";
import {
  BooleanInput,
  Id,
  Latitude,
  Longitude,
  listOf,
  numeric,
  page,
  pageSize,
  SearchCursor,
  Time,
} from "./primitives.ts";
import { Characteristic, ProfileBrief } from "./profiles.ts";
import { RawPoint } from "./raw-point.ts";

export const PositionUse = z.enum(["RANDOM", "OVERRIDE", "DEVICE_GPS"]);

export const PositionPrecision = z.enum(PRECISIONS);

/** Validation messages must name the field, never the value. */
const SentLatitude = z.number().min(-90).max(90).nullish();
const SentLongitude = z.number().min(-180).max(180).nullish();

/**
 * PUT /api/profile-position/{profileId}; clients send the center of their cell. Parsing seals the coordinates in a RawPoint, which only
 * reveals the cell they are in, and drops coordinates that do not match `use`.
 */
export const ProfilePositionReport = z
  .object({
    profileId: Id,
    session: z.number().int().min(0).max(1_000_000).optional(),
    overrideLat: SentLatitude,
    overrideLon: SentLongitude,
    gpsLat: SentLatitude,
    gpsLon: SentLongitude,
    /** Accepted but ignored, for privacy. */
    gpsTimestamp: z.union([z.number(), z.string().max(40)]).nullish(),
    use: PositionUse,
    hide: z.boolean().optional(),
    /** Sent with what the member did not ask for just now: it moves nobody whose position another device reported last. */
    ifLast: z.boolean().optional(),
    /** What is stored stays as it is; the rest counts only if nothing is. */
    keepsPosition: z.boolean().optional(),
    /** ISO 8601, or milliseconds since 1970. At most 26 h from now, which is also the default if absent or long past. */
    tsEffectiveUntil: z.union([Time, z.number().int().min(0).max(8.64e15)]).nullish(),
    /** Defaults to the member's previous choice, else "street". "exact" must be sent each time. */
    precision: PositionPrecision.optional(),
  })
  .transform((report, context) => {
    const { profileId, session, use, hide, ifLast, keepsPosition, precision, tsEffectiveUntil } = report;
    const [lat, lon, field] =
      use === "OVERRIDE"
        ? [report.overrideLat, report.overrideLon, "overrideLat"]
        : [report.gpsLat, report.gpsLon, "gpsLat"];
    let point: RawPoint | null = null;
    if (use !== "RANDOM") {
      if (typeof lat !== "number" || typeof lon !== "number") {
        context.addIssue({ code: "custom", path: [field], message: `is required for ${use}` });
        return z.NEVER;
      }
      point = new RawPoint({ lat, lon });
    }
    return {
      profileId,
      session,
      use,
      hide,
      ifLast,
      keepsPosition,
      precision: precision ?? null,
      /** null for RANDOM: the server chooses the point. */
      point,
      tsEffectiveUntil:
        typeof tsEffectiveUntil === "string" ? Date.parse(tsEffectiveUntil) : (tsEffectiveUntil ?? null),
    };
  });
export type ProfilePositionReport = z.output<typeof ProfilePositionReport>;

/** A member's position as only they see it. `lat` and `lon` are published; the other coordinates are the cell's center. */
export const ProfilePosition = z.object({
  profileId: Id,
  session: z.number().int(),
  overrideLat: z.number().nullable(),
  overrideLon: z.number().nullable(),
  gpsLat: z.number().nullable(),
  gpsLon: z.number().nullable(),
  use: PositionUse,
  precision: PositionPrecision,
  hide: z.boolean(),
  tsEffectiveUntil: Time,
  lat: z.number(),
  lon: z.number(),
  /** A newer cell awaits the publishing delay. */
  pending: z.boolean(),
});
export type ProfilePosition = z.infer<typeof ProfilePosition>;

/**
 * GET and DELETE /api/profile-position/{profileId}/places, for the member only. Contains what the device needs to choose cells: the
 * lattice, and the remembered resting cells, most used first.
 */
export const OwnPlaces = z.object({
  lattice: z.object({ lat: z.number(), lon: z.number() }),
  remembered: z.array(
    z.object({
      cell: z.custom<Cell>((value) => typeof value === "number" && isCell(value), "is no cell"),
      /** Number of days it was used, up to 14. */
      days: z.number().int(),
      /** Last day it was used, in days since 1970 UTC. */
      lastDay: z.number().int(),
    }),
  ),
});
export type OwnPlaces = z.infer<typeof OwnPlaces>;

/**
 * The response to a report: `places` is for choosing the cell of the next one. `stay` is the punishing country where the member is,
 * preferably by device position; null if none.
 */
export const PositionReportResponse = ProfilePosition.extend({ places: OwnPlaces, stay: z.string().nullable() });
export type PositionReportResponse = z.infer<typeof PositionReportResponse>;

/** A brief with the distance from the viewer's published position; null if the viewer has none. */
export const NearbyBrief = ProfileBrief.extend({ distanceMeters: z.number().nullable() });
export type NearbyBrief = z.infer<typeof NearbyBrief>;

/** A member's distance from the viewer, between published positions. */
export const MemberDistance = z.object({ profileId: Id, distanceMeters: z.number() });
export type MemberDistance = z.infer<typeof MemberDistance>;

/** A member of the last seven days. */
export const NewMember = z.object({ profileId: Id });

export const NearbyBriefPage = z.object({ items: z.array(NearbyBrief), nextCursor: z.string().optional() });
export type NearbyBriefPage = z.infer<typeof NearbyBriefPage>;

/**
 * GET /api/profile-briefs/nearest, where `cursor` overrides `page`. A numbered page is complete, and what follows it starts where it ended.
 * With neither, or a cursor, a page that few members match returns what it has. Only a page without a cursor in its answer is the last.
 */
export const NearestQuery = z.object({
  page,
  size: pageSize(TILES_PAGE_SIZE),
  cursor: SearchCursor.optional(),
  characteristics: listOf(z.array(Characteristic)).optional(),
  ageMin: numeric(z.number().int().min(AGE_MIN_YEARS).max(AGE_MAX_YEARS)).optional(),
  ageMax: numeric(z.number().int().min(AGE_MIN_YEARS).max(AGE_MAX_YEARS)).optional(),
  hasPicture: BooleanInput.optional(),
  onlineNow: BooleanInput.optional(),
  maxDistanceMeters: numeric(z.number().positive().max(20_100_000)).optional(),
  /** Only members with these likes between them and the viewer; all given conditions must hold. */
  likedMyProfile: BooleanInput.optional(),
  likedMyPics: BooleanInput.optional(),
  iLikedProfile: BooleanInput.optional(),
  iLikedProfilePics: BooleanInput.optional(),
  /** Only members whom the viewer starred, which a private tag of their own says. */
  starred: BooleanInput.optional(),
  /** Excludes members whom the viewer already liked or disliked, for Swype. */
  unjudged: BooleanInput.optional(),
  /** Only members who are out tonight. */
  tonight: BooleanInput.optional(),
  /** Only members who are checked ("Is it him?"). */
  checked: BooleanInput.optional(),
  /** Only members of the last seven days who are not discreet. */
  newHere: BooleanInput.optional(),
  /** Only members to whom the viewer never wrote. */
  notTalkedTo: BooleanInput.optional(),
});
export type NearestQuery = z.infer<typeof NearestQuery>;

const BoundsFields = { latMin: Latitude, lonMin: Longitude, latMax: Latitude, lonMax: Longitude };

/** A box whose northern edge lies below its southern one would be empty without saying why. lonMin above lonMax crosses the date line. */
const hasLatitudesInOrder = ({ latMin = -90, latMax = 90 }: Partial<Bounds>) => latMin <= latMax;
const LATITUDES_REVERSED = { path: ["latMax"], message: "REVERSED" };

/** GET /api/profile-briefs/by-bounds, inclusive. */
export const BoundsQuery = z
  .object({ ...BoundsFields, page, size: pageSize(BOUNDS_PAGE_SIZE), cursor: SearchCursor.optional() })
  .refine(hasLatitudesInOrder, LATITUDES_REVERSED);

/** GET /api/profile-briefs/by-sector/{lat}:{lon}: the square degree that contains the point. */
export const SectorQuery = z.object({
  lat: Latitude,
  lon: Longitude,
  page,
  size: pageSize(SECTOR_PAGE_SIZE),
  cursor: SearchCursor.optional(),
});

/** A count of members in a box, given by its center and half extents in degrees. */
export const PositionAggregate = z.object({
  centerLat: z.number(),
  centerLon: z.number(),
  deltaLat: z.number(),
  deltaLon: z.number(),
  count: z.number().int(),
  tsUpdated: Time,
});
export type PositionAggregate = z.infer<typeof PositionAggregate>;

/** GET /api/profile-positions/aggregates. All four bounds together restrict it to what a map shows. */
export const AggregatesQuery = z
  .object({
    ...z.object(BoundsFields).partial().shape,
    /** Cells are merged until there are at most this many. */
    most: numeric(z.number().int().min(1).max(100)).default(AGGREGATE_CELLS_MAX),
  })
  .refine(hasLatitudesInOrder, LATITUDES_REVERSED);
