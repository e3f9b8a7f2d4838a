import { type ComponentType, lazy } from "react";
import { loadOnce } from "./load-once.ts";

type Screen<Props> = { default: ComponentType<Props> };

/**
 * React's lazy component, whose chunk can be asked for before it is drawn. Once that has come it is drawn at once: a promise, even a
 * kept one, would show the stand-in, which React then leaves for 300 ms.
 */
export function lazyScreen<Props extends object>(load: () => Promise<Screen<Props>>) {
  let come: Screen<Props> | undefined;
  const chunk = loadOnce(async () => {
    come = await load();
    return come;
  });
  const atOnce = (screen: Screen<Props>) =>
    // biome-ignore lint/suspicious/noThenProperty: React reads a thenable that answers at once without waiting for a tick
    ({ then: (done: (screen: Screen<Props>) => void) => done(screen) }) as Promise<Screen<Props>>;
  const Component = lazy(() => (come ? atOnce(come) : chunk.load()));
  return Object.assign(Component, { preload: chunk.preload });
}

export type LazyScreen = ComponentType<object> & { readonly preload: () => Promise<unknown> };
