const RELOADED = "reloaded-for-build";

/**
 * Loads a chunk at the first call and gives the same promise from then on. A chunk that is gone (a deploy since this page was
 * opened) reloads the page once; one that failed otherwise is tried anew by the next call.
 */
export function loadOnce<Module>(load: () => Promise<Module>): () => Promise<Module> {
  let loading: Promise<Module> | undefined;
  return () => {
    loading ??= load().catch((error: unknown) => {
      loading = undefined;
      if (!navigator.onLine || sessionStorage.getItem(RELOADED)) throw error;
      sessionStorage.setItem(RELOADED, "1");
      location.reload();
      return new Promise<never>(() => {});
    });
    return loading;
  };
}
