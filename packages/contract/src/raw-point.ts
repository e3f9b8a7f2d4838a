import type { Point } from "@lambda/geo/distance";
import type { Cell, Precision } from "@lambda/geo/grid";
import { chooseCell, type Lattice, type RestingCell } from "@lambda/geo/lattice";

/**
 * Coordinates as a client sent them. They cannot be read, printed, copied or serialized; all that can be asked is in which cell
 * of a member they lie.
 */
export class RawPoint {
  readonly #point: Point;

  constructor(point: Point) {
    this.#point = point;
  }

  /** @param before the cell that was reported last, where the device moves by itself */
  cell(lattice: Lattice, remembered: readonly RestingCell[], precision: Precision, before: Cell | null): Cell {
    return chooseCell(lattice, remembered, this.#point, precision, 0, before);
  }
}
