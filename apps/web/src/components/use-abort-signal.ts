import { useCallback, useEffect, useRef } from "react";

/**
 * Cancels work with the component that started it, because whoever closes a sheet or a screen does not want it anymore. `begin` returns the
 * signal of new work, and cancels what is still running.
 */
export function useAbortSignal() {
  const controller = useRef<AbortController>(undefined);
  const abort = useCallback(() => controller.current?.abort(), []);
  const begin = useCallback(() => {
    abort();
    controller.current = new AbortController();
    return controller.current.signal;
  }, [abort]);
  useEffect(() => abort, [abort]);
  return { begin, abort };
}
