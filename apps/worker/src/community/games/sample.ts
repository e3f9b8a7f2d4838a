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

export function shuffle<Item>(items: readonly Item[]): Item[] {
  const mixed = [...items];
  for (let index = mixed.length - 1; index > 0; index -= 1) {
    const other = Math.floor(Math.random() * (index + 1));
    [mixed[index], mixed[other]] = [mixed[other]!, mixed[index]!];
  }
  return mixed;
}
