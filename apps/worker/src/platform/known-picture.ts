/** What the object of a session answers when a picture is asked for (social/pictures/rights-object.ts). */
import type { DatabaseCost } from "./db/meter.ts";
import type { PictureRow } from "./db/tables.ts";
import type { Viewer } from "./viewer.ts";

/** A picture that a member may see, as far as its bytes depend on it. */
export interface OpenPicture {
  readonly id: number;
  readonly profile_id: number;
  readonly version: number;
  readonly width: number;
  readonly audience: PictureRow["audience"];
  readonly nsfw: boolean;
  /** Only the pixelated version is for this viewer, who has not proved their age. */
  readonly covered: boolean;
  readonly own: boolean;
  /** A notice withholds it from everybody: its owner sees it pixelated, to know what is meant. */
  readonly withheld: boolean;
  readonly ts_updated: number;
}

/** Who asks for a picture; the picture is undefined where they may not see it, or it is not there. */
export interface KnownPicture {
  readonly id: number;
  readonly viewer: Viewer;
  readonly picture: OpenPicture | undefined;
  /** What it cost to find out. */
  readonly cost: DatabaseCost;
}
