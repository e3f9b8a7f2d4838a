import { type ComponentType, createElement, lazy, Suspense } from "react";
import { createChunkLoader } from "./load-chunk.ts";

type Screen<Props> = { default: ComponentType<Props> };

/**
 * A React lazy component whose chunk can be preloaded. A loaded chunk renders synchronously, because any promise, even a resolved
 * one, would show the fallback, which React keeps for 300 ms.
 */
export function lazyScreen<Props extends object>(load: () => Promise<Screen<Props>>) {
  let loaded: Screen<Props> | undefined;
  const chunk = createChunkLoader(async () => {
    loaded = await load();
    return loaded;
  });
  const resolved = (screen: Screen<Props>) =>
    // biome-ignore lint/suspicious/noThenProperty: React unwraps a thenable that resolves synchronously without waiting for a tick
    ({ then: (done: (screen: Screen<Props>) => void) => done(screen) }) as Promise<Screen<Props>>;
  const Component = lazy(() => (loaded ? resolved(loaded) : chunk.load()));
  return Object.assign(Component, { preload: chunk.preload });
}

/** A part of a screen that shows nothing until its chunk is there. */
export function lazyPart<Props extends object>(load: () => Promise<Screen<Props>>): LazyPart<Props> {
  const Part = lazyScreen(load) as LazyPart<Props>;
  const Late = (props: Props) => <Suspense>{createElement(Part, props)}</Suspense>;
  Late.preload = Part.preload;
  return Late;
}

export type LazyPart<Props = object> = ComponentType<Props> & { readonly preload: () => Promise<unknown> };
