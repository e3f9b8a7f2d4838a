import { type ComponentType, createElement, lazy, useState } from "react";
import { loadOnce } from "./load-once.ts";

export interface LazyComponent<Props> {
  (props: Props): React.ReactNode;
  /** Loads the chunk; whoever waits hears of a failure. */
  readonly load: () => Promise<unknown>;
  /** Starts loading it before it is drawn: on the first request, on hover, on a press. Never fails. */
  readonly preload: () => Promise<unknown>;
}

export type LazyScreen = LazyComponent<object>;

/** Makes those anew whose chunk did not come: React's own `lazy` keeps a failure for ever. */
const renewals = new Set<() => void>();

/** To be called before a screen that failed is drawn again, and not while it fails: it would be asked for without end. */
export function renewFailed(): void {
  for (const renew of renewals) renew();
  renewals.clear();
}

/**
 * A component in a chunk of its own. Once that has come it is drawn at once: React's own `lazy` shows the stand-in even then, and
 * keeps it for 300 ms.
 */
export function lazyComponent<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
): LazyComponent<Props> {
  let come: ComponentType<Props> | undefined;
  const chunk = loadOnce(async () => {
    const module = await load();
    come = module.default;
    return module;
  });
  const makeLater = () =>
    lazy(() =>
      chunk.load().catch((error: unknown) => {
        renewals.add(() => {
          Later = makeLater();
        });
        throw error;
      }),
    ) as unknown as ComponentType<Props>;
  let Later = makeLater();
  // The state keeps what it began with, as another component in its place would lose what it holds.
  const Component = (props: Props) => createElement(useState(() => come ?? Later)[0], props);
  return Object.assign(Component, chunk);
}
