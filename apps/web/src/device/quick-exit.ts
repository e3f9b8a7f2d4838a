/**
 * Three taps on the brand mark, or Escape twice, replace any screen by a neutral page. As far as the browser allows, the tab's history
 * no longer leads back to this site.
 */

/** Our own page without scripts, requests or brand name (notepad.ts in the worker). The service worker caches it for offline use. */
export const NEUTRAL_PAGE = "/notepad";
/** Session storage key that continues the exit in the first page of this visit, which may be another document or come from the bfcache. */
const LEAVING_KEY = "leaving";
/** The home link in the top bar, or its substitute on pages without one. */
const MARK_SELECTOR = 'header a[href="/"], [data-mark]';
const LEAVING_MS = 5000;
const TAPS_WITHIN_MS = 1200;
const MARK_PX = 48;
const ESCAPES_WITHIN_MS = 500;

/** Call once per document, as early as possible. */
export function watchQuickExit(): void {
  continueExit();
  let mark: MouseEvent | undefined;
  const isMark = (event: Event) => {
    const tap = event as MouseEvent;
    if (tap.target instanceof Element && tap.target.closest(MARK_SELECTOR)) mark = tap;
    // The first tap may open a screen without a mark at this place, where the finger stays.
    if (!mark || tap.timeStamp - mark.timeStamp > TAPS_WITHIN_MS) return false;
    return Math.hypot(tap.clientX - mark.clientX, tap.clientY - mark.clientY) < MARK_PX;
  };
  const isEscape = (event: Event) => (event as KeyboardEvent).key === "Escape";
  addEventListener("click", onRepeated("taps", 3, TAPS_WITHIN_MS, isMark), true);
  addEventListener("keydown", onRepeated("escapes", 2, ESCAPES_WITHIN_MS, isEscape), true);
  addEventListener("pageshow", continueExit);
}

/** Replaces this page too if a quick exit is in progress. */
function continueExit(): void {
  try {
    if (Number(sessionStorage.getItem(LEAVING_KEY)) > Date.now() - LEAVING_MS) replaceAll();
  } catch {
    // Without storage no exit is in progress.
  }
}

/**
 * Leaves when an event repeats often enough. Session storage keeps its times under `key`, because a tap on the mark loads another
 * document while the page is not interactive yet.
 */
function onRepeated(key: string, count: number, withinMs: number, matches: (event: Event) => boolean) {
  let times: number[] = [];
  return (event: Event) => {
    if (!matches(event)) return;
    // When it happened, which a busy page handles later.
    const now = Date.now() - performance.now() + event.timeStamp;
    try {
      times = sessionStorage[key].split(",").map(Number);
    } catch {
      // Nothing is stored yet, or nothing can be: then only this document's events count.
    }
    times = [...times, now].filter((time) => time > now - withinMs);
    try {
      sessionStorage[key] = times;
    } catch {}
    if (times.length >= count) quickExit();
  };
}

export function quickExit(): void {
  document.documentElement.style.visibility = "hidden";
  document.title = "";
  try {
    sessionStorage.clear();
    sessionStorage.setItem(LEAVING_KEY, String(Date.now()));
  } catch {
    // Without storage, other documents of this visit stay in the history.
  }
  // Without the Navigation API the start of this visit is unknown, so only the current page is replaced.
  const back = (window as { navigation?: { currentEntry?: { index: number } } }).navigation?.currentEntry?.index ?? 0;
  if (back === 0) {
    replaceAll();
    return;
  }
  addEventListener("popstate", replaceAll);
  setTimeout(replaceAll, 400);
  history.go(-back);
}

/** Replaces the visit's first history entry; pushing another entry discards all later ones. */
function replaceAll(): void {
  document.documentElement.style.visibility = "hidden";
  removeEventListener("popstate", replaceAll);
  history.replaceState(null, "", NEUTRAL_PAGE);
  history.pushState(null, "", NEUTRAL_PAGE);
  location.replace(NEUTRAL_PAGE);
}
