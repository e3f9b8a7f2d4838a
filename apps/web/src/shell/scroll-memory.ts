/**
 * Restores the scroll position on back navigation, even if the content loads later; a new page starts at the top. Positions are kept
 * in memory only.
 */
const positions = new Map<string, number>();
/** Long enough for a list that loads on a slow line. */
const RESTORE_WITHIN_MS = 5000;
/** The member scrolls by themselves, so the position is no longer restored. */
const OWN_SCROLLING = ["wheel", "touchstart", "pointerdown", "keydown"] as const;

let wentBack = false;

function entryKey(): string {
  const { navigation } = window as { navigation?: { currentEntry?: { key: string } | null } };
  return navigation?.currentEntry?.key ?? location.pathname + location.search;
}

export function startScrollMemory(): void {
  history.scrollRestoration = "manual";
  let key = entryKey();
  addEventListener("scroll", () => positions.set(key, scrollY), { passive: true });
  for (const event of ["pushState", "replaceState", "popstate"]) {
    addEventListener(event, () => {
      wentBack = event === "popstate";
      key = entryKey();
    });
  }
}

/** Call after a route was rendered. Returns the function that stops waiting for content. */
export function restoreScroll(): () => void {
  const target = wentBack ? (positions.get(entryKey()) ?? 0) : 0;
  wentBack = false;
  scrollTo(0, target);
  if (target === 0 || Math.abs(scrollY - target) < 2) return () => {};
  const stop = () => {
    observer.disconnect();
    clearTimeout(timer);
    for (const event of OWN_SCROLLING) removeEventListener(event, stop);
  };
  const observer = new ResizeObserver(() => {
    scrollTo(0, target);
    if (Math.abs(scrollY - target) < 2) stop();
  });
  const timer = setTimeout(stop, RESTORE_WITHIN_MS);
  for (const event of OWN_SCROLLING) addEventListener(event, stop, { passive: true });
  observer.observe(document.body);
  return stop;
}
