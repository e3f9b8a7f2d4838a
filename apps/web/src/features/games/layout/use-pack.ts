import { useCallback, useEffect, useRef, useState } from "react";
import { errorCodeOf } from "../../../api/error-body.ts";

export interface Pack<Item> {
  /** Undefined while loading and when there are no more items. */
  readonly item: Item | undefined;
  /** The item after it, for prefetching. */
  readonly upcoming: Item | undefined;
  readonly state: "loading" | "playing" | "done" | "limitReached" | "failed";
  readonly error: unknown;
  /**
   * Moves on to the next item, if there is one now. `send` makes the request that stores the vote: the next pack is loaded after it, or
   * the item would come again.
   */
  advance(send: (item: Item) => Promise<unknown>): void;
  /** Loads a new pack, after the end or a failure. */
  load(): void;
}

export function usePack<Item>(draw: () => Promise<{ items: Item[] }>): Pack<Item> {
  const [items, setItems] = useState<Item[]>([]);
  const [state, setState] = useState<Pack<Item>["state"]>("loading");
  const [error, setError] = useState<unknown>();
  const latestDraw = useRef(draw);
  latestDraw.current = draw;
  const pendingAnswers = useRef(new Set<Promise<unknown>>());

  const load = useCallback(() => {
    setState("loading");
    Promise.allSettled(pendingAnswers.current)
      .then(() => latestDraw.current())
      .then(
        (pack) => {
          setItems(pack.items);
          setState(pack.items.length > 0 ? "playing" : "done");
        },
        (failure: unknown) => {
          setError(failure);
          // The member has judged as many items as the server allows for now.
          setState(errorCodeOf(failure) === "TOO_MANY_REQUESTS" ? "limitReached" : "failed");
        },
      );
  }, []);
  useEffect(load, [load]);

  const advance = (send: (item: Item) => Promise<unknown>) => {
    const [item] = items;
    if (!item) return;
    const answer = send(item);
    pendingAnswers.current.add(answer);
    answer.catch(() => undefined).finally(() => pendingAnswers.current.delete(answer));
    if (items.length <= 1) load();
    setItems(items.slice(1));
  };
  return { item: items[0], upcoming: items[1], state, error, advance, load };
}
