import { type RefObject, useEffect, useLayoutEffect, useState } from "react";

const GAP_PX = 2;
/** Height over width of a tile. */
const RATIO = 1.25;
/** Rows kept beyond both ends of the window, so that a quick thumb or the Tab key never meets an empty place. */
const OVERSCAN_ROWS = 6;

/** 2 columns under 200 px, 4 under 400, 6 under 600, else 8. */
function tileColumns(width: number): number {
  return width < 200 ? 2 : width < 400 ? 4 : width < 600 ? 6 : 8;
}

export interface TileWindow {
  readonly from: number;
  readonly to: number;
  /** Room above and below, in pixels. */
  readonly before: number;
  readonly after: number;
}

/** Which of `count` tiles lie near the window; the rest are room. */
export function useTileWindow(box: RefObject<HTMLElement | null>, count: number): TileWindow {
  const [width, setWidth] = useState(() => document.documentElement.clientWidth);
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    setWidth(element.clientWidth);
    return () => observer.disconnect();
  }, [box]);
  useEffect(() => {
    const follow = () => setTop(Math.max(0, -(box.current?.getBoundingClientRect().top ?? 0)));
    follow();
    addEventListener("scroll", follow, { passive: true });
    return () => removeEventListener("scroll", follow);
  }, [box]);

  const columns = tileColumns(width);
  const row = ((width - (columns - 1) * GAP_PX) / columns) * RATIO + GAP_PX;
  const rows = Math.ceil(count / columns);
  // In steps of half the overscan, so that scrolling draws anew only now and then.
  const step = OVERSCAN_ROWS / 2;
  const first = Math.max(0, Math.floor(top / row / step) * step - OVERSCAN_ROWS);
  const last = Math.min(rows, first + Math.ceil(innerHeight / row) + 3 * OVERSCAN_ROWS);
  return {
    from: first * columns,
    to: Math.min(count, last * columns),
    before: first * row,
    after: Math.max(0, rows - last) * row,
  };
}
