import { MARKER_MAX_PX, MARKER_MIN_PX } from "@lambda/contract/limits";
import type { Placed } from "@lambda/geo/mercator";

/** Side of a member's picture in pixels: 16 from afar, 54 on the first view, 128 in the street. */
export function markerSize(zoom: number): number {
  return Math.round(Math.min(MARKER_MAX_PX, Math.max(MARKER_MIN_PX, MARKER_MIN_PX * 2 ** ((zoom - 6) / 4))));
}

/** Pixels of the whole world at zoom 0. */
export const WORLD_PX = 512;
/** Pictures may cover each other by this share before they become one. */
const OVERLAP = 0.12;
/** What a thumb can hit. */
const GAP_MIN_PX = 44;

export interface Cluster<Item extends Placed> {
  /** The member whose picture stands for all, at that member's place. */
  readonly leader: Item;
  /** With the leader. */
  readonly members: readonly Item[];
}

/**
 * Joins items that would cover each other at a zoom. An item joins the nearest leader before it in the list, so the same
 * list gives the same clusters wherever the map is panned to; who comes first is never swallowed.
 */
export function cluster<Item extends Placed>(
  items: readonly Item[],
  zoom: number,
  gap = Math.max(GAP_MIN_PX, markerSize(zoom) * (1 - OVERLAP)),
): Cluster<Item>[] {
  const reach = gap / (WORLD_PX * 2 ** zoom);
  const cells = new Map<number, { leader: Item; members: Item[] }[]>();
  const found: { leader: Item; members: Item[] }[] = [];
  const columns = Math.ceil(1 / reach);
  for (const item of items) {
    const column = Math.floor(item.x / reach);
    const row = Math.floor(item.y / reach);
    let nearest: { leader: Item; members: Item[] } | undefined;
    let best = reach * reach;
    for (let dy = -1; dy <= 1; dy += 1) {
      for (let dx = -1; dx <= 1; dx += 1) {
        for (const candidate of cells.get((row + dy) * columns + column + dx) ?? []) {
          const square = (candidate.leader.x - item.x) ** 2 + (candidate.leader.y - item.y) ** 2;
          if (square < best) {
            best = square;
            nearest = candidate;
          }
        }
      }
    }
    if (nearest) {
      nearest.members.push(item);
      continue;
    }
    const made = { leader: item, members: [item] };
    found.push(made);
    const key = row * columns + column;
    const cell = cells.get(key);
    if (cell) cell.push(made);
    else cells.set(key, [made]);
  }
  return found;
}
