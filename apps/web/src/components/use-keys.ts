import { useEffect, useRef } from "react";

/** Single keys that drive a screen; silent while the member types, with a modifier held, or behind a dialog. */
export function useKeys(keys: Readonly<Record<string, () => void>>): void {
  const current = useRef(keys);
  current.current = keys;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.target instanceof Element && isTakenBy(event.target, event.key)) return;
      const act = current.current[event.key];
      if (!act) return;
      event.preventDefault();
      act();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
}

/** A choice takes the arrows and the space; letters mean nothing to it. */
function isTakenBy(target: Element, key: string): boolean {
  if (target.closest("dialog, textarea, select")) return true;
  const isChoice = target.matches("input[type=radio], input[type=checkbox]");
  return isChoice ? !/^[a-z]$/.test(key) : target.closest("input") !== null;
}
