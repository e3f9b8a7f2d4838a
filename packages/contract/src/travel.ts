import { z } from "zod";
import { TRIP_NAME_MAX_CHARS } from "./limits.ts";
import { Id, Line } from "./primitives.ts";
import { RawPoint } from "./raw-point.ts";

/** How a member is shown where the law punishes: not at all, in cells of 5 km, or as anywhere else. */
export const StayShown = z.enum(["hidden", "city", "usual"]);
export type StayShown = z.infer<typeof StayShown>;

/** PUT /api/travel/stay: what a member chooses for as long as they are there. */
export const StayChoice = z.object({ shown: StayShown, withdrawn: z.boolean(), muted: z.boolean() });
export type StayChoice = z.infer<typeof StayChoice>;

/** That the member is in a country that punishes; for the member alone. */
export const Stay = StayChoice.extend({
  /** ISO 3166-1 alpha-2. */
  country: z.string(),
  /** The member chose; until then everything protects. */
  chosen: z.boolean(),
});
export type Stay = z.infer<typeof Stay>;

export const Whereabouts = z.object({
  stay: Stay.nullable(),
  /** A country that was left, and of which the member has not been told so. */
  left: z.string().nullable(),
});
export type Whereabouts = z.infer<typeof Whereabouts>;

/** A day without a time, yyyy-mm-dd. */
const Day = z.iso.date();

/** POST /api/travel/trips. Coordinates are sealed in parsing, as in a position report. */
export const TripDraft = z
  .object({
    name: Line.max(TRIP_NAME_MAX_CHARS),
    lat: z.number().min(-90).max(90),
    lon: z.number().min(-180).max(180),
    from: Day,
    to: Day,
  })
  .transform(({ lat, lon, ...trip }) => ({ ...trip, point: new RawPoint({ lat, lon }) }));
export type TripDraft = z.input<typeof TripDraft>;

/** An own trip. */
export const Trip = z.object({
  id: Id,
  name: z.string(),
  from: Day,
  to: Day,
  /** Members there see that the member is coming; null: not answered yet. */
  shown: z.boolean().nullable(),
  /** That punishes, as ISO 3166-1 alpha-2; null: none. */
  country: z.string().nullable(),
});
export type Trip = z.infer<typeof Trip>;

/** Somebody who is coming to where the viewer is, or is there on a trip. Tells no place. */
export const ComingMember = z.object({
  profileId: Id,
  profileName: z.string(),
  profileAge: z.number().nullable(),
  profilePicId: Id.nullable(),
  from: Day,
  to: Day,
});
export type ComingMember = z.infer<typeof ComingMember>;
