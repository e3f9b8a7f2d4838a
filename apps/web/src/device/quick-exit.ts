/** Three taps on the mark, or Escape twice: to a neutral page, from any screen, with nothing of this site behind it as far as a browser lets. */

/** A page of ours without scripts, requests or a name (the worker's notepad.ts); kept for when there is no network. */
const NEUTRAL_PAGE = "/notepad";
/** The first page of this visit may be another document, or one that the browser brings back from its memory. */
const LEAVING = "leaving";
/** The way home in the top bar, and what stands for it where there is none. */
const MARK = 'header a[href="/"], [data-mark]';
const LEAVING_MS = 5000;
const TAPS_WITHIN_MS = 1200;
const ESCAPES_WITHIN_MS = 500;

/** Once for a document, as soon as it can run anything. */
export function watchQuickExit(): void {
  goOn();
  const isMark = ({ target }: Event) => target instanceof Element && target.closest(MARK) !== null;
  addEventListener("click", inARow(3, TAPS_WITHIN_MS, isMark), true);
  addEventListener(
    "keydown",
    inARow(2, ESCAPES_WITHIN_MS, (event) => (event as KeyboardEvent).key === "Escape"),
    true,
  );
  addEventListener("pageshow", goOn);
}

/** On the way out through this page. */
function goOn(): void {
  try {
    if (Number(sessionStorage.getItem(LEAVING)) > Date.now() - LEAVING_MS) replaceAll();
  } catch {
    // No storage: nobody is on the way out.
  }
}

function inARow(count: number, withinMs: number, counts: (event: Event) => boolean): (event: Event) => void {
  let times: number[] = [];
  return (event) => {
    if (!counts(event)) return;
    times = [...times, event.timeStamp].filter((time) => time > event.timeStamp - withinMs);
    if (times.length >= count) quickExit();
  };
}

export function quickExit(): void {
  document.documentElement.style.visibility = "hidden";
  document.title = "";
  try {
    sessionStorage.clear();
    sessionStorage.setItem(LEAVING, String(Date.now()));
  } catch {
    // Then the way back through other documents stays.
  }
  // Where the browser tells how far back this visit began; else only the page in sight is replaced.
  const back = (window as { navigation?: { currentEntry?: { index: number } } }).navigation?.currentEntry?.index ?? 0;
  if (back === 0) {
    replaceAll();
    return;
  }
  addEventListener("popstate", replaceAll);
  setTimeout(replaceAll, 400);
  history.go(-back);
}

/** Takes the place of the visit's first page; the entry in between cuts off all that came after it. */
function replaceAll(): void {
  document.documentElement.style.visibility = "hidden";
  removeEventListener("popstate", replaceAll);
  history.replaceState(null, "", NEUTRAL_PAGE);
  history.pushState(null, "", NEUTRAL_PAGE);
  location.replace(NEUTRAL_PAGE);
}
