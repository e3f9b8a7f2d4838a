import type { OwnPlaces, PositionReportResponse, ProfilePosition } from "@lambda/contract/positions";
import type { Anchor, DeviceStay } from "@lambda/geo/anchors";
import type { Point } from "@lambda/geo/distance";
import type { Cell, Precision } from "@lambda/geo/grid";
import type { GeoSource } from "../../../device/device-keys.ts";

export type GpsErrorKind = "denied" | "unavailable" | "timeout" | "other";

/** The member's position on the server, as of the last response. */
export interface ServerPosition {
  readonly use: ProfilePosition["use"];
  /** Center of the reported cell; for a random position, the point that others see. */
  readonly point: Point;
  /** The point that others see. */
  readonly published: Point;
  readonly precision: Precision;
  /** A newer cell is waiting for the publishing delay. */
  readonly pending: boolean;
}

export interface ReportingState {
  readonly use: GeoSource;
  /** Where the member dragged their marker. */
  readonly override: Point | null;
  readonly fix: (Point & { readonly at: number; readonly accuracyMeters: number }) | null;
  /** When a fix was last examined; later ones wait until the throttle allows the next. */
  readonly examinedAt: number | null;
  /** The last GPS error. It is not shown while the last fix is fresh. */
  readonly gpsError: GpsErrorKind | null;
  /** The error that ended GPS mode, until the member dismisses it or chooses a mode. */
  readonly shownError: GpsErrorKind | null;
  readonly precision: Precision;
  /** The member's lattice and remembered cells. In memory only; null until the server responds. */
  readonly places: OwnPlaces | null;
  /** Raw points of the member's places, each with its cell. Only this device knows them. */
  readonly anchors: readonly Anchor[];
  /** Where the GPS has rested since it last moved on. */
  readonly stay: DeviceStay | null;
  /** The reported cell. It follows from the point and the member's places, and while moving also from the previous cell. */
  readonly cell: Cell | null;
  readonly acceptedAt: number | null;
  readonly serverPosition: ServerPosition | null;
  /** The server's state has loaded. */
  readonly isReady: boolean;
  /** Whether this device reports. False while another device of the member reported last and nothing was chosen here since. */
  readonly isActiveDevice: boolean;
  /** The member chose something here that was not reported yet. Other reports leave what another device reported last. */
  readonly hasActed: boolean;
  readonly hidden: boolean;
  /** Requested, and not yet confirmed by the server. */
  readonly pendingHide: boolean | null;
  readonly isPaused: boolean;
  /** The member is just being asked where to be shown, so no random position is reported meanwhile. */
  readonly isChoosing: boolean;
  readonly saveDueAt: number | null;
  readonly isSaving: boolean;
  readonly savedAt: number | null;
  readonly failures: number;
}

export interface LoadedEvent {
  readonly type: "loaded";
  readonly position: ProfilePosition | null;
  readonly places: OwnPlaces;
  /** The number of this device, to compare with the position's. */
  readonly deviceNumber: number;
}

export interface SavedEvent {
  readonly type: "saved";
  readonly position: PositionReportResponse;
  /** The position is still that of another device. */
  readonly isOther: boolean;
}

export type ReportingEvent =
  | LoadedEvent
  | { readonly type: "placesForgotten"; readonly places: OwnPlaces }
  /** Another tab wrote the anchors. */
  | { readonly type: "anchorsChanged"; readonly anchors: readonly Anchor[] }
  /** Another tab wrote what the member chose there, and reports it. */
  | { readonly type: "adopted"; readonly choice: Partial<ReportingState> }
  /** The member chose where their position comes from. */
  | { readonly type: GeoSource }
  | { readonly type: "errorDismissed" | "tick" }
  | { readonly type: "drag"; readonly point: Point }
  | { readonly type: "fix"; readonly point: Point; readonly at: number; readonly accuracyMeters: number }
  | { readonly type: "gpsFailed"; readonly kind: GpsErrorKind }
  | { readonly type: "hide"; readonly hide: boolean }
  /** The session reports that the member was hidden or shown elsewhere. */
  | { readonly type: "hiddenChanged"; readonly hidden: boolean }
  | { readonly type: "precision"; readonly precision: Precision }
  | { readonly type: "paused"; readonly paused: boolean }
  | { readonly type: "choosing"; readonly choosing: boolean }
  | SavedEvent
  | { readonly type: "saveFailed" };

/** What is sent to the server, without ids. Coordinates are cell centers. */
export interface Report {
  readonly use: ProfilePosition["use"];
  readonly overrideLat?: number;
  readonly overrideLon?: number;
  readonly gpsLat?: number;
  readonly gpsLon?: number;
  readonly precision: Precision;
  readonly ifLast: boolean;
  /** For hiding before the position has loaded, which moves nobody. */
  readonly keepsPosition?: boolean;
  /** Sent only on request: a device that wakes up must not show a member who hid on another one. */
  readonly hide?: boolean;
}

/** What the member is told once, on any screen. */
export type ReportingNotice = "hiding" | "visible" | "notHiddenYet" | "notShownYet";

export type Effect =
  | { readonly type: "save"; readonly report: Report }
  | { readonly type: "notify"; readonly notice: ReportingNotice };

export interface Transition {
  readonly state: ReportingState;
  readonly effects: readonly Effect[];
}
