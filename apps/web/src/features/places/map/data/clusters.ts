import { MARKER_MAX_PX, MARKER_MIN_PX } from "@lambda/contract/limits";
import type { MercatorPoint } from "@lambda/geo/mercator";

/** Size of a member's picture in pixels: 16 when zoomed out, 54 on the first view, 128 at street level. */
export function markerSize(zoom: number): number {
  return Math.round(Math.min(MARKER_MAX_PX, Math.max(MARKER_MIN_PX, MARKER_MIN_PX * 2 ** ((zoom - 6) / 4))));
}

/** Width of the world in pixels at zoom 0. */
export const WORLD_PX = 512;
/** The room that a picture needs, with its ring and count, as a multiple of its size. */
const ROOM = 1.25;
/** The smallest target that a thumb can hit. */
const GAP_MIN_PX = 44;

export interface Cluster<Item extends MercatorPoint> {
  /** The item that represents the cluster and gives it its position. */
  readonly leader: Item;
  /** All items, including the leader. */
  readonly members: readonly Item[];
}

/**
 * Clusters items that would touch at a zoom. An item joins the nearest leader before it in the list, so the same list
 * gives the same clusters wherever the map is panned to, and the first item always leads a cluster.
 */
export function cluster<Item extends MercatorPoint>(
  items: readonly Item[],
  zoom: number,
  gap = Math.max(GAP_MIN_PX, markerSize(zoom) * ROOM),
): Cluster<Item>[] {
  const reach = gap / (WORLD_PX * 2 ** zoom);
  const cells = new Map<number, { leader: Item; members: Item[] }[]>();
  const clusters: { leader: Item; members: Item[] }[] = [];
  const columns = Math.ceil(1 / reach);
  for (const item of items) {
    const column = Math.floor(item.x / reach);
    const row = Math.floor(item.y / reach);
    let nearest: { leader: Item; members: Item[] } | undefined;
    let nearestSquared = reach * reach;
    for (let dy = -1; dy <= 1; dy += 1) {
      for (let dx = -1; dx <= 1; dx += 1) {
        for (const candidate of cells.get((row + dy) * columns + column + dx) ?? []) {
          const squared = (candidate.leader.x - item.x) ** 2 + (candidate.leader.y - item.y) ** 2;
          if (squared < nearestSquared) {
            nearestSquared = squared;
            nearest = candidate;
          }
        }
      }
    }
    if (nearest) {
      nearest.members.push(item);
      continue;
    }
    const created = { leader: item, members: [item] };
    clusters.push(created);
    const key = row * columns + column;
    const cell = cells.get(key);
    if (cell) cell.push(created);
    else cells.set(key, [created]);
  }
  return clusters;
}
