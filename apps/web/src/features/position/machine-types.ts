import type { OwnPlaces, ProfilePosition, ReportedPosition } from "@lambda/contract/positions";
import type { Anchor, Stay } from "@lambda/geo/anchors";
import type { Point } from "@lambda/geo/distance";
import type { Cell, Precision } from "@lambda/geo/grid";
import type { GeoUse } from "../../device/device-keys.ts";

/** What the reporting of a position knows, what may happen to it, and what it asks for. */

export type GpsErrorKind = "denied" | "unavailable" | "timeout" | "other";

/** What the server has of this member, as its last answer told. */
export interface KnownPosition {
  readonly use: ProfilePosition["use"];
  /** Centre of the reported cell; for a random position the point that others see. */
  readonly point: Point;
  /** The point that others see. */
  readonly published: Point;
  readonly precision: Precision;
  /** A newer cell waits for the publishing delay. */
  readonly pending: boolean;
}

export interface ReportingState {
  readonly use: GeoUse;
  /** Where the member dragged their marker. */
  readonly override: Point | null;
  readonly fix: (Point & { readonly at: number; readonly accuracyMeters: number }) | null;
  /** When a fix was last looked at; later ones wait until the throttle's time is over. */
  readonly examinedAt: number | null;
  /** An error that is not shown while the last fix is fresh. */
  readonly gpsError: GpsErrorKind | null;
  /** The error that ended GPS mode, until the member has read it or chosen a mode. */
  readonly shownError: GpsErrorKind | null;
  readonly precision: Precision;
  /** Where the member's cells lie and which stand for their places. Only in memory; null until the server answers. */
  readonly places: OwnPlaces | null;
  /** The member's places as this device alone knows them, raw points with the cell of each. */
  readonly anchors: readonly Anchor[];
  /** Where the GPS has been since it last moved on. */
  readonly stay: Stay | null;
  /** The cell that is reported. It follows from the point and the member's places, and on the move from the cell before. */
  readonly cell: Cell | null;
  readonly acceptedAt: number | null;
  readonly known: KnownPosition | null;
  /** The server's knowledge has come, or there is none. */
  readonly ready: boolean;
  /** False while another device of the member reported last and nothing has been chosen on this one since. */
  readonly leading: boolean;
  readonly hidden: boolean;
  /** Asked for and not yet confirmed by the server. */
  readonly hideWanted: boolean | null;
  readonly paused: boolean;
  readonly saveDueAt: number | null;
  readonly saving: boolean;
  readonly savedAt: number | null;
  readonly failures: number;
}

/** What the server has, and the number of this device. */
export interface FoundEvent {
  readonly type: "found";
  readonly position: ProfilePosition | null;
  readonly places: OwnPlaces;
  readonly session: number;
}

export type ReportingEvent =
  | FoundEvent
  | { readonly type: "placesForgotten"; readonly places: OwnPlaces }
  /** Another tab keeps them too. */
  | { readonly type: "anchorsAre"; readonly anchors: readonly Anchor[] }
  | { readonly type: "walk" | "gps" | "random" | "errorRead" | "tick" }
  | { readonly type: "drag"; readonly point: Point }
  | { readonly type: "fix"; readonly point: Point; readonly at: number; readonly accuracyMeters: number }
  | { readonly type: "gpsFailed"; readonly kind: GpsErrorKind }
  | { readonly type: "hide"; readonly hide: boolean }
  /** Hidden or shown elsewhere, as the session tells. */
  | { readonly type: "hiddenIs"; readonly hidden: boolean }
  | { readonly type: "precision"; readonly precision: Precision }
  | { readonly type: "paused"; readonly paused: boolean }
  | { readonly type: "saved"; readonly position: ReportedPosition }
  | { readonly type: "saveFailed" };

/** What goes over the wire, without ids. Coordinates are centres of cells. */
export interface Report {
  readonly use: ProfilePosition["use"];
  readonly overrideLat?: number;
  readonly overrideLon?: number;
  readonly gpsLat?: number;
  readonly gpsLon?: number;
  readonly precision: Precision;
  /** Sent only when the member asks: a device that slept must not show a member who hid on another. */
  readonly hide?: boolean;
}

export type Outcome =
  | { readonly type: "save"; readonly report: Report }
  | { readonly type: "say"; readonly what: "hiding" | "visible" | "notHiddenYet" | "notShownYet" };

export interface Step {
  readonly state: ReportingState;
  readonly outcomes: readonly Outcome[];
}
