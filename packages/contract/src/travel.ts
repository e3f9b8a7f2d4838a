import { z } from "zod";
import { TRIP_NAME_MAX_CHARS } from "./limits.ts";
import { Day, Id, SingleLine } from "./primitives.ts";
import { RawPoint } from "./raw-point.ts";

/** How a member is shown in a punishing country: not at all, in cells of 5 km, or as usual. */
export const StayVisibility = z.enum(["hidden", "city", "usual"]);

/** PUT /api/travel/stay: the member's choice for the duration of the stay. */
export const StayChoice = z.object({ shown: StayVisibility, withdrawn: z.boolean(), muted: z.boolean() });
export type StayChoice = z.infer<typeof StayChoice>;

/** The member is in a punishing country. Only they can see this. */
export const Stay = StayChoice.extend({
  /** ISO 3166-1 alpha-2. */
  country: z.string(),
  /** Whether the member has chosen; until then all protections apply. */
  chosen: z.boolean(),
});
export type Stay = z.infer<typeof Stay>;

export const Whereabouts = z.object({
  stay: Stay.nullable(),
  /** A country that the member has left but not been notified about yet. */
  left: z.string().nullable(),
});
export type Whereabouts = z.infer<typeof Whereabouts>;

/** POST /api/travel/trips. Parsing seals the coordinates, as in a position report. */
export const TripDraft = z
  .object({
    name: SingleLine.max(TRIP_NAME_MAX_CHARS),
    lat: z.number().min(-90).max(90),
    lon: z.number().min(-180).max(180),
    from: Day,
    to: Day,
  })
  .transform(({ lat, lon, ...trip }) => ({ ...trip, point: new RawPoint({ lat, lon }) }));
export type TripDraft = z.input<typeof TripDraft>;

export const Trip = z.object({
  id: Id,
  name: z.string(),
  from: Day,
  to: Day,
  /** Whether members there see that the member is coming; null: not chosen yet. */
  shown: z.boolean().nullable(),
  /** The punishing country of the destination, as ISO 3166-1 alpha-2, if any. */
  country: z.string().nullable(),
});
export type Trip = z.infer<typeof Trip>;

/** A member who is or will be near the viewer on a trip. Contains no location. */
export const VisitingMember = z.object({
  profileId: Id,
  profileName: z.string(),
  profileAge: z.number().nullable(),
  profilePicId: Id.nullable(),
  from: Day,
  to: Day,
});
export type VisitingMember = z.infer<typeof VisitingMember>;

/** `closed`: why nobody is listed. The viewer is not known to be here, or has looked in too many places today. */
export const ComingMembers = z.object({ items: z.array(VisitingMember), closed: z.enum(["place", "day"]).nullable() });
export type ComingMembers = z.infer<typeof ComingMembers>;
