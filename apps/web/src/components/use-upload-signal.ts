import { useCallback, useEffect, useRef } from "react";

export interface UploadSignal {
  /** Returns the signal of a new upload. */
  readonly begin: () => AbortSignal;
  /** Cancels the upload that is running. */
  readonly abort: () => void;
}

/** Cancels an upload with the component that started it, because whoever closes a sheet or a screen does not want it anymore. */
export function useUploadSignal(): UploadSignal {
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
