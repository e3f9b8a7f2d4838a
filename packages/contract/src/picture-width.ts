import { PICTURE_WIDTHS_PX } from "./limits.ts";

/** The smallest stored width of at least `minPx`, or else the largest. */
export function pictureWidth(minPx: number): number {
  return PICTURE_WIDTHS_PX.find((width) => width >= minPx) ?? PICTURE_WIDTHS_PX[PICTURE_WIDTHS_PX.length - 1]!;
}
