import { type ComponentType, lazy } from "react";
import { chunkOf } from "./load-chunk.ts";

type Screen<Props> = { default: ComponentType<Props> };

/**
 * React's lazy component, whose chunk can be preloaded. A loaded chunk is drawn at once: any promise, even a resolved one, would show
 * the fallback, which React then keeps for 300 ms.
 */
export function lazyScreen<Props extends object>(load: () => Promise<Screen<Props>>) {
  let loaded: Screen<Props> | undefined;
  const chunk = chunkOf(async () => {
    loaded = await load();
    return loaded;
  });
  const resolved = (screen: Screen<Props>) =>
    // biome-ignore lint/suspicious/noThenProperty: React reads a thenable that answers at once without waiting for a tick
    ({ then: (done: (screen: Screen<Props>) => void) => done(screen) }) as Promise<Screen<Props>>;
  const Component = lazy(() => (loaded ? resolved(loaded) : chunk.load()));
  return Object.assign(Component, { preload: chunk.preload });
}

export type LazyScreen = ComponentType<object> & { readonly preload: () => Promise<unknown> };
