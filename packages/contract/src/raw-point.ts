import type { Point, Precision } from "./grid.ts";
import { chooseCell, type Lattice, type RestingCell } from "./lattice.ts";

/**
 * Coordinates as a client sent them. They cannot be read, printed, copied or serialized; all that can be asked is in which cell
 * of a member they lie.
 */
export class RawPoint {
  readonly #point: Point;

  constructor(point: Point) {
    this.#point = point;
  }

  cell(lattice: Lattice, remembered: readonly RestingCell[], precision: Precision): number {
    return chooseCell(lattice, remembered, this.#point, precision);
  }
}
