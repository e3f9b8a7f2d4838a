import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { type CSSProperties, useLayoutEffect, useRef, useState } from "react";

interface WindowRowsOptions<Item> {
  readonly items: readonly Item[];
  readonly keyOf: (item: Item) => number;
  /** Estimated height of a row until it is measured. */
  readonly rowPx: number;
  /** How many rows to render above and below the window. */
  readonly overscan: number;
}

/** The rows of a list near the window; the others are not rendered. `list` goes on the element where the rows begin. */
export function useWindowRows<Item, List extends HTMLElement>(options: WindowRowsOptions<Item>) {
  const { items, keyOf, rowPx, overscan } = options;
  const list = useRef<List>(null);
  const [offset, setOffset] = useState(0);
  useLayoutEffect(() => {
    setOffset((list.current?.getBoundingClientRect().top ?? 0) + scrollY);
  }, []);
  const virtualizer = useWindowVirtualizer({
    count: items.length,
    estimateSize: () => rowPx,
    getItemKey: (index) => {
      const item = items[index];
      return item ? keyOf(item) : index;
    },
    overscan,
    scrollMargin: offset,
  });
  const shown = virtualizer.getVirtualItems();
  const rows = shown.flatMap(({ index, key, start }) => {
    const item = items[index];
    const style: CSSProperties = { transform: `translateY(${start - virtualizer.options.scrollMargin}px)` };
    return item ? [{ item, index, key, props: { ref: virtualizer.measureElement, "data-index": index, style } }] : [];
  });
  return {
    list,
    rows,
    firstIndex: shown[0]?.index ?? 0,
    lastIndex: shown.at(-1)?.index ?? -1,
    height: virtualizer.getTotalSize(),
  };
}
