/**
 * The server's clock. A device's own may be hours or days off, so a time of the server is compared with this one, and a time that the
 * server keeps is sent as a duration. `server-clock.test.ts` finds code that asks the device instead.
 */

/** Kept between visits, because a page shows what it remembers before the first answer. It is the device's (stored-names.ts). */
const STORAGE_NAME = "clock";
/** Nothing depends on less, which may be mere latency. For the clocks of most devices nothing is stored. */
const OFFSET_MIN_MS = 30_000;

let offset = 0;
try {
  offset = Number(localStorage.getItem(STORAGE_NAME)) || 0;
} catch {
  // Without storage, each visit learns it again.
}

/** When the page's clock began, by the device's. Less means that the device was set back; more, that it was set ahead or slept. */
const pageStart = () => Date.now() - performance.now();
let knownStart = pageStart();

/** The time on the server, in milliseconds. That of the device until the first answer of its first visit. */
export function serverNow(): number {
  const setBackMs = knownStart - pageStart();
  if (setBackMs > OFFSET_MIN_MS) {
    offset += setBackMs;
    knownStart -= setBackMs;
  }
  return Date.now() + offset;
}
/** False after the device's clock was set ahead, or the device slept, until the next answer: serverNow may be wrong then. */
export const isServerTimeSure = (): boolean => pageStart() - knownStart < OFFSET_MIN_MS;
export const serverDate = (): Date => new Date(serverNow());

/** Learns the offset from an answer of the API, none of which is cached. */
export function learnServerTime(headers: Headers): void {
  const found = Number(headers.get("x-now") ?? Number.NaN) - Date.now();
  if (!Number.isNaN(found)) knownStart = pageStart();
  if (!(Math.abs(found - offset) > OFFSET_MIN_MS)) return;
  offset = found;
  try {
    localStorage.setItem(STORAGE_NAME, `${offset}`);
  } catch {
    // It lasts as long as the page.
  }
}
