import type { PICTURE_TYPES } from "@lambda/contract/limits";

/** What an uploaded file is, by its own bytes. */
export interface ImageInfo {
  readonly type: (typeof PICTURE_TYPES)[number];
  readonly width: number;
  readonly height: number;
  /** The picture without what follows it and without chunks that no picture needs. */
  readonly bytes: Uint8Array;
}
