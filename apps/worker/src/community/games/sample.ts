export interface Sample {
  /** How many members to read. */
  readonly size: number;
  /** Where to start in the random order. */
  readonly start: number;
  /** Selects one of each member's pictures. */
  readonly pictureSeed: number;
}

export interface DrawnPicture {
  readonly picture_id: number;
  readonly owner_id: number;
  readonly version: number;
  readonly nsfw: number;
}
