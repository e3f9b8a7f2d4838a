import { Button } from "@lambda/ui/button";
import { type ReactNode, useState } from "react";
import { defineCopyHook } from "../format/i18n.ts";

const useCopyOfAll = defineCopyHook({
  en: { all: (count: number) => `Show all ${count}` },
  es: { all: (count: number) => `Mostrar los ${count}` },
});

const SHOWN_AT_FIRST = 5;

/** The first few of a long list, and a button that shows the others, so that a page stays short. */
export function useShowAll<Item>(items: readonly Item[]): { shown: readonly Item[]; button: ReactNode } {
  const copy = useCopyOfAll();
  const [isWhole, setWhole] = useState(false);
  // One more is as long as the button.
  if (isWhole || items.length <= SHOWN_AT_FIRST + 1) return { shown: items, button: null };
  return {
    shown: items.slice(0, SHOWN_AT_FIRST),
    button: <Button label={copy.all(items.length)} onClick={() => setWhole(true)} />,
  };
}
