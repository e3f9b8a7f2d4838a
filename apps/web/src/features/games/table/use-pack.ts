import { useCallback, useEffect, useRef, useState } from "react";
import { errorCodeOf } from "../../../api/error-body.ts";

export interface Pack<Item> {
  /** The item on the table; undefined while dealing and when there are no more. */
  readonly item: Item | undefined;
  /** What comes after it, to be fetched ahead. */
  readonly coming: Item | undefined;
  readonly state: "dealing" | "playing" | "done" | "rest" | "failed";
  readonly error: unknown;
  /** Takes the item off the table. The next pack is dealt when the answer is stored, or it would bring the item again. */
  next(answer: Promise<unknown>): void;
  /** Deals anew, after the end or a failure. */
  deal(): void;
}

/** A pack of drawn items, played one by one; the next pack is dealt when this one is out. */
export function usePack<Item>(draw: () => Promise<{ items: Item[] }>): Pack<Item> {
  const [items, setItems] = useState<Item[]>([]);
  const [state, setState] = useState<Pack<Item>["state"]>("dealing");
  const [error, setError] = useState<unknown>();
  const drawing = useRef(draw);
  drawing.current = draw;
  const unstored = useRef(new Set<Promise<unknown>>());

  const deal = useCallback(() => {
    setState("dealing");
    Promise.allSettled(unstored.current)
      .then(() => drawing.current())
      .then(
        (pack) => {
          setItems(pack.items);
          setState(pack.items.length > 0 ? "playing" : "done");
        },
        (failure: unknown) => {
          setError(failure);
          // All of the day's items are judged: the server's cap is reached.
          setState(errorCodeOf(failure) === "TOO_MANY_REQUESTS" ? "rest" : "failed");
        },
      );
  }, []);
  useEffect(deal, [deal]);

  const next = (answer: Promise<unknown>) => {
    unstored.current.add(answer);
    answer.catch(() => undefined).finally(() => unstored.current.delete(answer));
    if (items.length <= 1) deal();
    setItems(items.slice(1));
  };
  return { item: items[0], coming: items[1], state, error, next, deal };
}
