import { useEffectEvent, useLayoutEffect } from "react";

/** Not a toast. Old browsers know no popovers, and :is() lets them skip what they do not know. */
const OPEN_LAYER = "dialog[open], [data-popover-open], [popover=auto]:is(:popover-open)";

/** Single-key shortcuts for a screen. Inactive while the member is typing, holds a modifier or has a dialog or menu open. */
export function useKeyboardShortcuts(keys: Readonly<Record<string, (event: KeyboardEvent) => void>>): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (document.querySelector(OPEN_LAYER)) return;
    if (event.target instanceof Element && isHandledBy(event.target, event.key)) return;
    const act = keys[event.key];
    if (!act) return;
    event.preventDefault();
    act(event);
  });
  // A key pressed right after the first paint must not be lost.
  useLayoutEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event);
    addEventListener("keydown", listener);
    return () => removeEventListener("keydown", listener);
  }, []);
}

/**
 * Whether the focused control handles this key itself. Links and buttons use Enter and space; radio buttons and checkboxes use arrows
 * and space, but no letters. Arrows scroll a strip.
 */
function isHandledBy(target: Element, key: string): boolean {
  if (target.closest("dialog, textarea, select")) return true;
  if (key.startsWith("Arrow") && target.closest("[role=menu], [data-strip]")) return true;
  if (/^(Enter| )$/.test(key) && target.closest("a, button:enabled, summary")) return true;
  const isChoice = target.matches("input[type=radio], input[type=checkbox]");
  return isChoice ? !/^[a-z]$/.test(key) : target.closest("input") !== null;
}
