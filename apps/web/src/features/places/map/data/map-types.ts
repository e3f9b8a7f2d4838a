import type { NearbyBrief, PositionAggregate } from "@lambda/contract/positions";
import type { Point } from "@lambda/geo/distance";
import type { MapViewState } from "../../../../device/device-keys.ts";
import type { StillPicture } from "../still-picture.ts";
import type { PlaceShown } from "./place-name.ts";
import type { ViewBounds } from "./sectors.ts";

export interface MapView extends MapViewState {
  readonly bounds: ViewBounds;
}

/** A member with a published position, which is the only position of other members that the map knows. */
export type MapMember = NearbyBrief & { readonly lat: number; readonly lon: number };

export interface OwnMarker {
  readonly point: Point;
  readonly draggable: boolean;
  readonly hidden: boolean;
  /** Whether the marker follows the GPS. */
  readonly live: boolean;
  /** Whether others see that the member is out tonight. */
  readonly tonight: boolean;
  readonly picture: string | undefined;
  readonly initial: string;
  /** Name for screen readers. Says how to move the marker if it is draggable. */
  readonly label: string;
}

/** The space that a marker occupies on the map, in pixels. Place labels keep out of it. */
export interface CollisionBox extends Point {
  readonly size: number;
  readonly anchor: "center" | "bottom";
}

export interface MapContent {
  readonly members: readonly MapMember[];
  readonly areas: readonly PositionAggregate[];
  /** Who is out tonight. */
  readonly tonight?: ReadonlySet<number>;
  readonly own: OwnMarker | null;
  readonly selected: number | null;
  readonly nsfw: boolean;
}

/** What a map does with its events; not every map needs all. */
export interface MapListeners {
  /** The map stopped moving. `byMember` is false if code moved it. */
  onViewChange?(view: MapView, byMember: boolean): void;
  onMemberPress?(id: number): void;
  /** A press on members who are too close together to be separated at any zoom. */
  onCrowdPress?(ids: readonly number[]): void;
  /** The place in the middle changed. It has no name when zoomed out. */
  onPlaceChange?(place: PlaceShown): void;
  onBackgroundPress?(): void;
  onOwnMarkerDrag?(point: Point): void;
  onOwnMarkerPress?(): void;
  /** The map is left or hidden; the picture shows it without markers. */
  onPicture?(picture: Omit<StillPicture, "look">): void;
}
