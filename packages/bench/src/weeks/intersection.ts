/**
 * Each night's last cell implies that home is not far outside it, and the previous cell that home is too far outside that one. Guesses
 * the mean of all points with the fewest contradictions.
 */
import type { Night } from "./nights.ts";
import type { Watch } from "./scenarios.ts";
import { cameFrom } from "./sightings.ts";
import type { Spot } from "./world.ts";

const STEP = 1 / 16;
const SPAN = 1.5;

interface Claim {
  readonly spot: Spot;
  readonly inside: boolean;
  count: number;
}

/** @param reach how far outside a cell, in cells, it may still be shown */
export function intersect(nights: readonly Night[], { ways }: Watch, marker: Spot, size: number, reach: number): Spot {
  const claims = new Map<string, Claim>();
  const add = (spot: Spot, inside: boolean) => {
    const name = `${Math.round(spot.x)}:${Math.round(spot.y)}:${inside}`;
    const claim = claims.get(name);
    if (claim) claim.count += 1;
    else claims.set(name, { spot, inside, count: 1 });
  };
  for (const night of nights) {
    const last = night.atHome.at(-1)!;
    add(last, true);
    const from = cameFrom(night, ways);
    if (from) add(from, false);
  }
  return leastContradicted([...claims.values()], marker, size, (0.5 + reach) * size);
}

function leastContradicted(claims: readonly Claim[], marker: Spot, size: number, half: number): Spot {
  let fewest = Number.POSITIVE_INFINITY;
  let [east, north, count] = [0, 0, 0];
  for (let x = -SPAN + STEP / 2; x < SPAN; x += STEP) {
    for (let y = -SPAN + STEP / 2; y < SPAN; y += STEP) {
      const at = { x: marker.x + x * size, y: marker.y + y * size };
      let contradictions = 0;
      for (const { spot, inside, count: times } of claims) {
        const within = Math.abs(at.x - spot.x) <= half && Math.abs(at.y - spot.y) <= half;
        if (within !== inside) contradictions += times;
        if (contradictions > fewest) break;
      }
      if (contradictions > fewest) continue;
      if (contradictions < fewest) [fewest, east, north, count] = [contradictions, 0, 0, 0];
      [east, north, count] = [east + at.x, north + at.y, count + 1];
    }
  }
  return { x: east / count, y: north / count };
}
