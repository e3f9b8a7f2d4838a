/** Members along the curve by squares of 109 m, without names, as a short string, and how many of them to expect in a stretch. */
import type { KeyRange } from "./cover.ts";

/** Places are kept by squares of 128 units (109 m). */
const SQUARE_KEYS = 2 ** 14;

/** Members to expect in any stretch. */
export class Density {
  readonly #known: readonly KeyRange[];
  readonly #members: Float64Array;
  readonly #perKeyElsewhere: number;

  /**
   * @param known stretches that are known, apart from each other, in the order of the curve
   * @param members their members' squares, by the key of the middle, in the order of the curve
   * @param perKeyElsewhere what to expect where nothing is known
   */
  constructor(known: readonly KeyRange[], members: Float64Array, perKeyElsewhere: number) {
    this.#known = known;
    this.#members = members;
    this.#perKeyElsewhere = perKeyElsewhere;
  }

  expected({ lo, hi }: KeyRange): number {
    const counted = this.#before(hi) - this.#before(lo);
    if (this.#perKeyElsewhere === 0) return counted;
    let unknown = hi - lo;
    for (const stretch of this.#known) unknown -= Math.max(0, Math.min(hi, stretch.hi) - Math.max(lo, stretch.lo));
    return counted + unknown * this.#perKeyElsewhere;
  }

  /** The members known in a stretch, by the middle of their squares. */
  membersIn({ lo, hi }: KeyRange): Float64Array {
    return this.#members.subarray(this.#before(lo), this.#before(hi));
  }

  /** The middles of so many squares before a key and as many from it on. */
  nextTo(key: number, each: number): Float64Array {
    const place = this.#before(key);
    return this.#members.subarray(Math.max(0, place - each), place + each);
  }

  #before(key: number): number {
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

// Gaps between squares, five bits a character, the lowest first; 32 more where another follows.
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
