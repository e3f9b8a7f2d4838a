import { type RefObject, useEffect, useLayoutEffect, useState } from "react";

const GAP_PX = 2;
/** Height divided by width of a tile. */
const RATIO = 1.25;
/** Rows rendered beyond both ends of the viewport, so that fast scrolling and the Tab key never reach an empty area. */
const OVERSCAN_ROWS = 6;
const STEP_ROWS = OVERSCAN_ROWS / 2;

/** 2 columns under 200 px, 4 under 400, 6 under 600, else 8, at the usual size of the text; fewer where it is larger. */
function tileColumns(width: number): number {
  const em = width / Number.parseFloat(getComputedStyle(document.body).fontSize);
  return em < 12.5 ? 2 : em < 25 ? 4 : em < 37.5 ? 6 : 8;
}

export interface TileWindow {
  readonly from: number;
  readonly to: number;
  /** Space in place of the tiles that are not rendered, in pixels. */
  readonly paddingTop: number;
  readonly paddingBottom: number;
  /** How many columns the tiles leave free in their last row; a whole row where they fill it. */
  readonly restColumns: number;
}

/** Which of `count` tiles to render because they are near the viewport; padding replaces the rest. */
export function useTileWindow(box: RefObject<HTMLElement | null>, count: number): TileWindow {
  const [width, setWidth] = useState(() => document.documentElement.clientWidth);
  const [first, setFirst] = useState(0);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    setWidth(element.clientWidth);
    return () => observer.disconnect();
  }, [box]);
  const columns = tileColumns(width);
  const rowHeight = ((width - (columns - 1) * GAP_PX) / columns) * RATIO + GAP_PX;
  useEffect(() => {
    // Moves in steps of half the overscan, so that scrolling rarely rerenders.
    const updateFirst = () => {
      const rowsAbove = Math.max(0, -(box.current?.getBoundingClientRect().top ?? 0)) / rowHeight;
      setFirst(Math.max(0, Math.floor(rowsAbove / STEP_ROWS) * STEP_ROWS - OVERSCAN_ROWS));
    };
    updateFirst();
    addEventListener("scroll", updateFirst, { passive: true });
    return () => removeEventListener("scroll", updateFirst);
  }, [box, rowHeight]);

  const rows = Math.ceil(count / columns);
  const last = Math.min(rows, first + Math.ceil(innerHeight / rowHeight) + 3 * OVERSCAN_ROWS);
  return {
    from: first * columns,
    to: Math.min(count, last * columns),
    paddingTop: first * rowHeight,
    paddingBottom: Math.max(0, rows - last) * rowHeight,
    restColumns: columns - (count % columns),
  };
}
