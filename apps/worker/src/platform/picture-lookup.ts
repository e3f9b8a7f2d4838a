/** What the session's object returns for a requested picture (pictures/rights-object.ts). */

import type { PictureRow } from "./db/tables.ts";
import type { DatabaseCost } from "./metering/meter-database.ts";
import type { Viewer } from "./viewer.ts";

/** A picture that a member may see, with everything that decides which bytes are served. */
export interface VisiblePicture {
  readonly id: number;
  readonly profile_id: number;
  readonly version: number;
  readonly width: number;
  readonly audience: PictureRow["audience"];
  readonly nsfw: boolean;
  /** The viewer gets only the pixelated version, because they have not proved their age. */
  readonly covered: boolean;
  readonly own: boolean;
  /** Withheld from everybody because of a notice; its owner sees it pixelated, to know which picture is meant. */
  readonly withheld: boolean;
  readonly ts_updated: number;
}

/** A requested picture and its viewer; `picture` is undefined if it does not exist or the viewer may not see it. */
export interface CachedPictureLookup {
  readonly id: number;
  readonly viewer: Viewer;
  readonly picture: VisiblePicture | undefined;
  readonly cost: DatabaseCost;
}
