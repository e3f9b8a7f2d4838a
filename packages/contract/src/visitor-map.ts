/** GET /visitor-map.json: how many members were on the map of a brand's city, for whoever has no account. Public. */
export type VisitorMap = readonly VisitorRing[];

/** A district with at least ten members. */
export interface VisitorRing {
  /** The district's center as a fraction of the picture's side, from its left and top edge. */
  readonly x: number;
  readonly y: number;
  /** One of VISITOR_COUNT_STEPS: at least so many. */
  readonly men: number;
}

/** Smaller groups are not shown to visitors, and larger ones only by these steps. */
export const VISITOR_COUNT_STEPS = [10, 20, 50, 100, 200, 500] as const;
