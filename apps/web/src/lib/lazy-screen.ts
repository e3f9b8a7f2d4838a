import { type ComponentType, type LazyExoticComponent, lazy } from "react";

export interface LazyScreen extends LazyExoticComponent<ComponentType> {
  /** Starts loading the screen's chunk before it is drawn: on the first request, on hover, on a press. */
  readonly preload: () => void;
}

const RELOADED = "reloaded-for-build";

/** One chunk for each screen. A chunk that is gone (a deploy since this page was opened) reloads the page once. */
export function lazyScreen(load: () => Promise<{ default: ComponentType }>): LazyScreen {
  let loading: Promise<{ default: ComponentType }> | undefined;
  const start = () => {
    loading ??= load().catch((error: unknown) => {
      loading = undefined;
      if (!navigator.onLine || sessionStorage.getItem(RELOADED)) throw error;
      sessionStorage.setItem(RELOADED, "1");
      location.reload();
      return new Promise<never>(() => {});
    });
    return loading;
  };
  return Object.assign(lazy(start), { preload: () => void start().catch(() => undefined) });
}
