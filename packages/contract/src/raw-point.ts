import type { Point } from "@lambda/geo/distance";
import type { Cell, Precision } from "@lambda/geo/grid";
import { chooseCell, type Lattice, type RestingCell } from "@lambda/geo/lattice";

/** Coordinates as sent by a client. They cannot be read, printed, copied or serialized; they only reveal the member's cell they are in. */
export class RawPoint {
  readonly #point: Point;

  constructor(point: Point) {
    this.#point = point;
  }

  /** @param previous the last reported cell; only passed for positions from GPS */
  cell(lattice: Lattice, remembered: readonly RestingCell[], precision: Precision, previous: Cell | null): Cell {
    return chooseCell(lattice, remembered, this.#point, precision, 0, previous);
  }
}
