/**
 * Estimates where in its cell a home is, from how often nights end in each cell after each previous cell. The frequencies are counted for
 * homes in each sixteenth of a cell, among members simulated by the attacker.
 */
import type { Night } from "./nights.ts";
import type { Watch } from "./scenarios.ts";
import { cameFrom } from "./sightings.ts";
import type { Spot } from "./world.ts";

const PARTS = 16;
/** Candidate homes are within this many cells of the marker. */
const SPAN = 1;
/** Additive smoothing, so that few nights do not rule out a location. */
const SMOOTHING = 0.02;
const FAR = 3;

interface Outcome {
  readonly last: Spot;
  readonly from: Spot | undefined;
  count: number;
}

function outcomesOf(nights: readonly Night[], { ways }: Watch, marker: Spot, size: number): Outcome[] {
  const cellOf = ({ x, y }: Spot): Spot => ({
    x: Math.max(-FAR, Math.min(FAR, Math.round((x - marker.x) / size))),
    y: Math.max(-FAR, Math.min(FAR, Math.round((y - marker.y) / size))),
  });
  const outcomes = new Map<string, Outcome>();
  for (const night of nights) {
    const from = cameFrom(night, ways);
    const outcome = { last: cellOf(night.atHome.at(-1)!), from: from && cellOf(from), count: 1 };
    const name = nameOf(outcome, { x: 0, y: 0 });
    const known = outcomes.get(name);
    if (known) known.count += 1;
    else outcomes.set(name, outcome);
  }
  return [...outcomes.values()];
}

const near = (cells: number) => Math.max(-2, Math.min(2, cells));
const nameOf = ({ last, from }: Pick<Outcome, "last" | "from">, cell: Spot) =>
  `${last.x - cell.x} ${last.y - cell.y} ${from ? `${near(from.x - cell.x)} ${near(from.y - cell.y)}` : ""}`;

const partOf = (offset: number) => Math.min(PARTS - 1, Math.floor((offset + 0.5) * PARTS));

export class NightOdds {
  readonly #counts = Array.from({ length: PARTS * PARTS }, () => new Map<string, number>());
  readonly #nights = new Float64Array(PARTS * PARTS);

  /** @param offset of the home from the center of the marker's cell, in cells */
  add(nights: readonly Night[], watch: Watch, marker: Spot, offset: Spot, size: number): void {
    const cell = { x: Math.round(offset.x), y: Math.round(offset.y) };
    const part = partOf(offset.y - cell.y) * PARTS + partOf(offset.x - cell.x);
    const counts = this.#counts[part]!;
    for (const outcome of outcomesOf(nights, watch, marker, size)) {
      const name = nameOf(outcome, cell);
      counts.set(name, (counts.get(name) ?? 0) + outcome.count);
      this.#nights[part]! += outcome.count;
    }
  }

  /** The mean of all candidates, weighted by likelihood, relative to the center of the marker's cell, in cells. */
  home(nights: readonly Night[], watch: Watch, marker: Spot, size: number): Spot {
    const outcomes = outcomesOf(nights, watch, marker, size);
    const names = new Map<number, { name: string; count: number }[]>();
    const namesOf = (cell: Spot) => {
      const known = names.get(10 * cell.x + cell.y);
      if (known) return known;
      const named = outcomes.map((outcome) => ({ name: nameOf(outcome, cell), count: outcome.count }));
      names.set(10 * cell.x + cell.y, named);
      return named;
    };
    const candidates: { x: number; y: number; odds: number }[] = [];
    for (let x = -SPAN + 0.5 / PARTS; x < SPAN; x += 1 / PARTS) {
      for (let y = -SPAN + 0.5 / PARTS; y < SPAN; y += 1 / PARTS) {
        const cell = { x: Math.round(x), y: Math.round(y) };
        const part = partOf(y - cell.y) * PARTS + partOf(x - cell.x);
        const seen = this.#nights[part]!;
        let odds = 0;
        for (const { name, count } of namesOf(cell))
          odds += count * Math.log(((this.#counts[part]!.get(name) ?? 0) + SMOOTHING) / (seen + 1));
        candidates.push({ x, y, odds });
      }
    }
    const oddsMax = Math.max(...candidates.map(({ odds }) => odds));
    let [weight, east, north] = [0, 0, 0];
    for (const { x, y, odds } of candidates) {
      const part = Math.exp(odds - oddsMax);
      [weight, east, north] = [weight + part, east + part * x, north + part * y];
    }
    return { x: east / weight, y: north / weight };
  }
}
