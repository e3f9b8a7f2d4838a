/** Estimates how many members a key range holds, from anonymous counts per 109 m square that are cached as a short string. */
import type { KeyRange } from "./cover.ts";

/** Members are counted per square of 2^7 = 128 units (109 m). */
export const DENSITY_SQUARE_BITS = 7;
const SQUARE_KEYS = 2 ** (2 * DENSITY_SQUARE_BITS);

/** Estimates the number of members in any key range. */
export class Density {
  readonly #known: readonly KeyRange[];
  readonly #members: Float64Array;
  readonly #perKeyElsewhere: number;

  /**
   * @param known disjoint ranges with known members, in curve order
   * @param members the squares of their members, each as the key of its middle, in curve order
   * @param perKeyElsewhere expected members per key outside the known ranges
   */
  constructor(known: readonly KeyRange[], members: Float64Array, perKeyElsewhere: number) {
    this.#known = known;
    this.#members = members;
    this.#perKeyElsewhere = perKeyElsewhere;
  }

  /** Whether the members of a range were counted. */
  knows({ lo, hi }: KeyRange): boolean {
    return this.#known.reduce((from, row) => (row.lo <= from && row.hi > from ? row.hi : from), lo) >= hi;
  }

  expectedIn({ lo, hi }: KeyRange): number {
    const counted = this.#countBefore(hi) - this.#countBefore(lo);
    if (this.#perKeyElsewhere === 0) return counted;
    let unknown = hi - lo;
    for (const range of this.#known) unknown -= Math.max(0, Math.min(hi, range.hi) - Math.max(lo, range.lo));
    return counted + unknown * this.#perKeyElsewhere;
  }

  /** The known members in a range, each as the middle of its square. */
  membersIn({ lo, hi }: KeyRange): Float64Array {
    return this.#members.subarray(this.#countBefore(lo), this.#countBefore(hi));
  }

  /** Up to `each` known members before a key and as many from it on. */
  around(key: number, each: number): Float64Array {
    const index = this.#countBefore(key);
    return this.#members.subarray(Math.max(0, index - each), index + each);
  }

  /** Number of known members below a key. */
  #countBefore(key: number): number {
    let low = 0;
    let high = this.#members.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#members[middle]! < key) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

// A variable-length encoding of the gaps between squares: five bits per character, lowest first, plus 32 when another follows.
const FIRST_CHARACTER = 48;

/** @param keys in ascending order, none below `from` */
export function encodeSquares(from: number, keys: readonly number[]): string {
  const codes: number[] = [];
  let last = Math.floor(from / SQUARE_KEYS);
  for (const key of keys) {
    const square = Math.floor(key / SQUARE_KEYS);
    let gap = square - last;
    last = square;
    for (; gap >= 32; gap = Math.floor(gap / 32)) codes.push(FIRST_CHARACTER + 32 + (gap % 32));
    codes.push(FIRST_CHARACTER + gap);
  }
  return String.fromCharCode(...codes);
}

export function decodeSquares({ key, squares }: { readonly key: number; readonly squares: string }): number[] {
  const middles: number[] = [];
  let square = Math.floor(key / SQUARE_KEYS);
  let gap = 0;
  let place = 1;
  for (let index = 0; index < squares.length; index += 1) {
    const code = squares.charCodeAt(index) - FIRST_CHARACTER;
    gap += (code % 32) * place;
    place *= 32;
    if (code >= 32) continue;
    square += gap;
    middles.push((square + 0.5) * SQUARE_KEYS);
    gap = 0;
    place = 1;
  }
  return middles;
}
