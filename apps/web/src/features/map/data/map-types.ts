import type { NearbyBrief, PositionAggregate } from "@lambda/contract/positions";
import type { Point } from "@lambda/geo/distance";
import type { MapViewState } from "../../../device/device-keys.ts";
import type { ViewBounds } from "./sectors.ts";

/** What the map shows right now. */
export interface MapView extends MapViewState {
  readonly bounds: ViewBounds;
}

/** A member with a published position: all that the map may know of that member's position. */
export type MapMember = NearbyBrief & { readonly lat: number; readonly lon: number };

/** The member's own marker. */
export interface OwnMarker {
  readonly point: Point;
  readonly draggable: boolean;
  readonly hidden: boolean;
  /** Follows the GPS. */
  readonly live: boolean;
  readonly picture: string | undefined;
  readonly initial: string;
  /** Its name for screen readers; says how to move it where that is allowed. */
  readonly label: string;
}

/** Room that a marker takes over the map, in pixels. */
export interface TakenPlace extends Point {
  readonly size: number;
  readonly anchor: "center" | "bottom";
}

export interface MapContent {
  readonly members: readonly MapMember[];
  readonly areas: readonly PositionAggregate[];
  readonly own: OwnMarker | null;
  readonly selected: number | null;
  readonly nsfw: boolean;
}

export interface MapListeners {
  /** The map came to rest. `byMember` is false where code moved it. */
  onView(view: MapView, byMember: boolean): void;
  onMember(id: number): void;
  /** Members who stand too close for any zoom to part them. */
  onCrowd(ids: readonly number[]): void;
  /** What the ground in the middle is called; null from afar and where nobody lives. */
  onPlace(name: string | null): void;
  /** A press on nothing. */
  onGround(): void;
  onDrag(point: Point): void;
  onOwn(): void;
}
