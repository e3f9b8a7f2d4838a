import type { PICTURE_TYPES } from "@lambda/contract/limits";

/** What the bytes of an uploaded file say about it. */
export interface ImageInfo {
  readonly type: (typeof PICTURE_TYPES)[number];
  readonly width: number;
  readonly height: number;
  /** The picture without trailing data and without chunks that decoding does not need. */
  readonly bytes: Uint8Array;
}
