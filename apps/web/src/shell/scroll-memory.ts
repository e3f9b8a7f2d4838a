/**
 * Restores the scroll position on back navigation, even if the content loads later; a new page starts at the top. Positions are kept
 * in memory only.
 */
const positions = new Map<string, number>();
const RESTORE_WITHIN_MS = 1500;

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
  const observer = new ResizeObserver(() => {
    scrollTo(0, target);
    if (Math.abs(scrollY - target) < 2) observer.disconnect();
  });
  observer.observe(document.body);
  const timer = setTimeout(() => observer.disconnect(), RESTORE_WITHIN_MS);
  return () => {
    observer.disconnect();
    clearTimeout(timer);
  };
}
