const FOCUSABLE = "button:not(:disabled), a[href]";

interface Ancestor {
  readonly element: Element;
  readonly childIndex: number;
}

/**
 * Moves the keyboard focus to the nearest neighbor when the focused element is removed, as with a deleted row, where it would jump to
 * the start of the page, and returns the cleanup. Skips fields and pointer users, because that could open a phone's keyboard.
 */
export function keepFocus(within: HTMLElement): () => void {
  let target: Element | undefined;
  let ancestors: Ancestor[] = [];
  const remember = (focused: Element) => {
    target = focused.matches(":focus-visible") ? focused : undefined;
    ancestors = [];
    for (let child = focused; target && child !== within && child.parentElement; child = child.parentElement) {
      const element = child.parentElement;
      ancestors.push({ element, childIndex: [...element.children].indexOf(child) });
    }
  };
  const onFocus = (event: FocusEvent) => remember(event.target as Element);
  if (within.contains(document.activeElement)) remember(document.activeElement as Element);
  const observer = new MutationObserver(() => {
    if (!target || target.isConnected || document.activeElement !== document.body) return;
    target = undefined;
    const ancestor = ancestors.find(({ element }) => element.isConnected);
    const children = [...(ancestor?.element.children ?? [])];
    const nearest = [...children.slice(ancestor?.childIndex), ...children.slice(0, ancestor?.childIndex).reverse()];
    const next = nearest
      .map((child) => (child.matches(FOCUSABLE) ? child : child.querySelector(FOCUSABLE)))
      .find((element) => element !== null);
    ((next ?? within) as HTMLElement).focus({ preventScroll: true });
  });
  within.addEventListener("focusin", onFocus);
  observer.observe(within, { childList: true, subtree: true });
  return () => {
    within.removeEventListener("focusin", onFocus);
    observer.disconnect();
  };
}
