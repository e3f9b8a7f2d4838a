import { type Cell, isCell, PRECISIONS } from "@lambda/geo/grid";
import { z } from "zod";
import { CHARACTERISTICS } from "./characteristics.ts";
import {
  AGE_MAX_YEARS,
  AGE_MIN_YEARS,
  AGGREGATE_CELLS_MAX,
  BOUNDS_PAGE_SIZE,
  SECTOR_PAGE_SIZE,
  TILES_PAGE_SIZE,
} from "./limits.ts";
import { Flag, Id, Latitude, Longitude, numeric, page, pageSize, Time } from "./primitives.ts";
import { ProfileBrief } from "./profiles.ts";
import { RawPoint } from "./raw-point.ts";

export const PositionUse = z.enum(["RANDOM", "OVERRIDE", "DEVICE_GPS"]);
export type PositionUse = z.infer<typeof PositionUse>;

export const PositionPrecision = z.enum(PRECISIONS);

/** Coordinates as clients send them. The limits' messages name the field and never the value. */
const SentLatitude = z.number().min(-90).max(90).nullish();
const SentLongitude = z.number().min(-180).max(180).nullish();

/**
 * PUT /api/profile-position/{profileId}. Clients send the centre of the cell they are in; whatever is sent is sealed here, in
 * parsing: what comes out tells in which cell of a member it lies and nothing finer. Coordinates of a kind that `use`
 * does not name are dropped.
 */
export const ProfilePositionReport = z
  .object({
    profileId: Id,
    session: z.number().int().min(0).max(1_000_000).optional(),
    overrideLat: SentLatitude,
    overrideLon: SentLongitude,
    gpsLat: SentLatitude,
    gpsLon: SentLongitude,
    /** Accepted and forgotten: when a device fixed its position is nobody's business. */
    gpsTimestamp: z.union([z.number(), z.string().max(40)]).nullish(),
    use: PositionUse,
    hide: z.boolean().optional(),
    /** ISO 8601, or milliseconds since 1970. Never later than 26 h from now, which absent means, and one that is long over. */
    tsEffectiveUntil: z.union([Time, z.number().int().min(0).max(8.64e15)]).nullish(),
    /** Absent: what the member chose before, else about 550 m. "exact" must be sent each time. */
    precision: PositionPrecision.optional(),
  })
  .transform((report, context) => {
    const { profileId, session, use, hide, precision, tsEffectiveUntil } = report;
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
      precision: precision ?? null,
      /** null for RANDOM: the server chooses it. */
      point,
      tsEffectiveUntil:
        typeof tsEffectiveUntil === "string" ? Date.parse(tsEffectiveUntil) : (tsEffectiveUntil ?? null),
    };
  });
export type ProfilePositionReport = z.output<typeof ProfilePositionReport>;

/** A member's own position, for the member alone. lat and lon are what others see; the rest is the cell's centre. */
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
  /** A newer cell waits for the publishing delay. */
  pending: z.boolean(),
});
export type ProfilePosition = z.infer<typeof ProfilePosition>;

/**
 * What a member's device needs to find the member's cells: where the grid lies, and the cells remembered for places, the
 * most used first. GET and DELETE /api/profile-position/{profileId}/places; for the member alone.
 */
export const OwnPlaces = z.object({
  lattice: z.object({ lat: z.number(), lon: z.number() }),
  remembered: z.array(
    z.object({
      cell: z.custom<Cell>((value) => typeof value === "number" && isCell(value), "is no cell"),
      /** On how many days, up to 14. */
      days: z.number().int(),
      /** The last of them, in days since 1970 UTC. */
      lastDay: z.number().int(),
    }),
  ),
});
export type OwnPlaces = z.infer<typeof OwnPlaces>;

/**
 * The answer to a report. The next report is chosen by the places that this one left. `stay` is the country that punishes in which the
 * member is, by the device's position first; null for none.
 */
export const ReportedPosition = ProfilePosition.extend({ places: OwnPlaces, stay: z.string().nullable() });
export type ReportedPosition = z.infer<typeof ReportedPosition>;

/** A brief with its distance from the viewer's own published position; null without one. */
export const NearbyBrief = ProfileBrief.extend({ distanceMeters: z.number().nullable() });
export type NearbyBrief = z.infer<typeof NearbyBrief>;

/** How far a member is from the viewer, between published positions. */
export const MemberDistance = z.object({ profileId: Id, distanceMeters: z.number() });
export type MemberDistance = z.infer<typeof MemberDistance>;

export const NearbyBriefPage = z.object({ items: z.array(NearbyBrief), nextCursor: z.string().optional() });
export type NearbyBriefPage = z.infer<typeof NearbyBriefPage>;

const Cursor = z.string().max(100).optional();

/** A comma list (REST) or a list (tRPC) of characteristics; case-insensitive. */
const Characteristics = z
  .union([
    z
      .string()
      .max(1000)
      .transform((text) => text.split(",").filter((tag) => tag !== "")),
    z.array(z.string()),
  ])
  .transform((tags) => tags.map((tag) => tag.trim().toLowerCase()))
  .refine((tags) => tags.every((tag) => CHARACTERISTICS.includes(tag)), { message: "holds an unknown characteristic" });

/**
 * GET /api/profile-briefs/nearest. With a cursor `page` is ignored. With `page` alone the search walks to it from the nearest and
 * hands it out whole; with neither, the first page comes as soon as it holds anybody, and its cursor tells of more.
 */
export const NearestQuery = z.object({
  page,
  size: pageSize(TILES_PAGE_SIZE),
  cursor: Cursor,
  characteristics: Characteristics.optional(),
  ageMin: numeric(z.number().int().min(AGE_MIN_YEARS).max(AGE_MAX_YEARS)).optional(),
  ageMax: numeric(z.number().int().min(AGE_MIN_YEARS).max(AGE_MAX_YEARS)).optional(),
  hasPicture: Flag.optional(),
  onlineNow: Flag.optional(),
  maxDistanceMeters: numeric(z.number().positive().max(20_100_000)).optional(),
  /** Only members with these likes between them and the viewer; all that are given must hold. */
  likedMyProfile: Flag.optional(),
  likedMyPics: Flag.optional(),
  iLikedProfile: Flag.optional(),
  iLikedProfilePics: Flag.optional(),
  /** Leaves out members whom the viewer already liked or disliked, for the cards of Swype. */
  unjudged: Flag.optional(),
});
export type NearestQuery = z.infer<typeof NearestQuery>;

const BoundsFields = { latMin: Latitude, lonMin: Longitude, latMax: Latitude, lonMax: Longitude };

/** GET /api/profile-briefs/by-bounds, inclusive. lonMin above lonMax crosses the date line. */
export const BoundsQuery = z.object({ ...BoundsFields, page, size: pageSize(BOUNDS_PAGE_SIZE), cursor: Cursor });
export type BoundsQuery = z.infer<typeof BoundsQuery>;

/** GET /api/profile-briefs/by-sector/{lat}:{lon}: the square degree that holds the point. */
export const SectorQuery = z.object({
  lat: Latitude,
  lon: Longitude,
  page,
  size: pageSize(SECTOR_PAGE_SIZE),
  cursor: Cursor,
});
export type SectorQuery = z.infer<typeof SectorQuery>;

/** A count of members in a box: centre and half extents in degrees. */
export const PositionAggregate = z.object({
  centerLat: z.number(),
  centerLon: z.number(),
  deltaLat: z.number(),
  deltaLon: z.number(),
  count: z.number().int(),
  tsUpdated: Time,
});
export type PositionAggregate = z.infer<typeof PositionAggregate>;

/** GET /api/profile-positions/aggregates. Bounds, all four, narrow it to what a map shows. */
export const AggregatesQuery = z.object({
  latMin: Latitude.optional(),
  lonMin: Longitude.optional(),
  latMax: Latitude.optional(),
  lonMax: Longitude.optional(),
  /** Cells are merged until there are at most this many. */
  most: numeric(z.number().int().min(1).max(100)).default(AGGREGATE_CELLS_MAX),
});
export type AggregatesQuery = z.infer<typeof AggregatesQuery>;
