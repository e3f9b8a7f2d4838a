import { useRef } from "react";

/** Whether this was ever true: a sheet is loaded when first opened, and then stays, so that its texts survive closing. */
export function useEver(isTrue: boolean): boolean {
  const ever = useRef(false);
  ever.current ||= isTrue;
  return ever.current;
}
