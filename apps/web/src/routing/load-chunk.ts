import { currentBuild } from "./current-build.ts";

const RELOADED = "reloaded-for-build";

export interface Chunk<Module> {
  /** For what has to be drawn now. A chunk that is gone (a deploy since this page was opened) reloads the page, once for each build. */
  readonly load: () => Promise<Module>;
  /** For what may be needed soon: the page stays as it is, whatever comes. Never fails; undefined where nothing came. */
  readonly preload: () => Promise<Module | undefined>;
}

/** A chunk that is asked for once; one that failed is asked for again by the next call. Chromium fetches it again after a reload alone. */
export function chunkOf<Module>(load: () => Promise<Module>): Chunk<Module> {
  let loading: Promise<Module> | undefined;
  const start = () => {
    loading ??= load().catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
  return { load: () => start().catch(reloadForBuild), preload: () => start().catch(() => undefined) };
}

function reloadForBuild(error: unknown): Promise<never> {
  const build = currentBuild();
  if (!navigator.onLine || sessionStorage.getItem(RELOADED) === build) throw error;
  sessionStorage.setItem(RELOADED, build);
  location.reload();
  return new Promise<never>(() => {});
}
