const REACHABLE = "button:not(:disabled), a[href]";

interface Step {
  readonly parent: Element;
  readonly at: number;
}

/**
 * Gives the keyboard's focus to the nearest neighbour when what had it goes, e.g. a deleted row; else it would fall to the
 * page's beginning. Never to a field, and not for who points: on a phone that would open the keyboard. Returns what ends it.
 */
export function keepFocus(within: HTMLElement): () => void {
  let target: Element | undefined;
  let way: readonly Step[] = [];
  const note = (focused: Element) => {
    target = focused.matches(":focus-visible") ? focused : undefined;
    const steps: Step[] = [];
    for (let at = focused; target && at !== within && at.parentElement; at = at.parentElement) {
      steps.push({ parent: at.parentElement, at: [...at.parentElement.children].indexOf(at) });
    }
    way = steps;
  };
  const onFocus = (event: FocusEvent) => note(event.target as Element);
  if (within.contains(document.activeElement)) note(document.activeElement as Element);
  const observer = new MutationObserver(() => {
    if (!target || target.isConnected || document.activeElement !== document.body) return;
    target = undefined;
    const step = way.find(({ parent }) => parent.isConnected);
    const rows = [...(step?.parent.children ?? [])];
    const nearest = [...rows.slice(step?.at), ...rows.slice(0, step?.at).reverse()];
    const next = nearest
      .map((row) => (row.matches(REACHABLE) ? row : row.querySelector(REACHABLE)))
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
