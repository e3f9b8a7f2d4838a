import { type ComponentType, createElement, lazy, useState } from "react";
import { loadOnce } from "./load-once.ts";

export interface LazyComponent<Props> {
  (props: Props): React.ReactNode;
  /** Loads the chunk; whoever waits hears of a failure. */
  readonly load: () => Promise<unknown>;
  /** Starts loading it before it is drawn: on the first request, on hover, on a press. */
  readonly preload: () => void;
}

export type LazyScreen = LazyComponent<object>;

/**
 * A component in a chunk of its own. Once that has come it is drawn at once: React's own `lazy` shows the stand-in even then, and
 * keeps it for 300 ms.
 */
export function lazyComponent<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
): LazyComponent<Props> {
  let come: ComponentType<Props> | undefined;
  const start = loadOnce(async () => {
    const module = await load();
    come = module.default;
    return module;
  });
  const Later = lazy(start) as unknown as ComponentType<Props>;
  // The state keeps what it began with, as another component in its place would lose what it holds.
  const Component = (props: Props) => createElement(useState(() => come ?? Later)[0], props);
  return Object.assign(Component, { load: start, preload: () => void start().catch(() => undefined) });
}
