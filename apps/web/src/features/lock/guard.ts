/**
 * Watches over an opened device: covers the screen at once when it is left, and locks it when its time has come. Locking begins the page
 * anew, so that nothing of the member stays in its memory.
 */
import { readDevice } from "../../device/device-storage.ts";
import { LOCK } from "../../device/lock-record.ts";
import { vaultSettled } from "./sealing.ts";

const MINUTE_MS = 60_000;
const CHECK_MS = 5_000;
/** Choosing a picture or taking one leaves the page, on a phone; it is no reason to lose what it is for. */
const PICKING_MS = 3 * MINUTE_MS;

let watching = false;
let active = 0;
let leftAt: number | undefined;
let picking = 0;
let isLocking = false;
let cover: HTMLElement | undefined;

/** Begins to watch; once for a page. */
export function startGuard(): void {
  active = Date.now();
  if (watching) return;
  watching = true;
  addEventListener("blur", onBlur);
  addEventListener("focus", onReturn);
  addEventListener("pagehide", onLeave);
  addEventListener("pageshow", onReturn);
  document.addEventListener("visibilitychange", () => (document.hidden ? onLeave() : onReturn()));
  for (const touch of ["pointerdown", "keydown", "touchmove", "wheel"] as const)
    addEventListener(touch, onTouch, { capture: true, passive: true });
  addEventListener(
    "click",
    ({ target }) => {
      if (target instanceof HTMLInputElement && target.type === "file") picking = Date.now();
    },
    true,
  );
  setInterval(lockWhenDue, CHECK_MS);
}

function onTouch(): void {
  active = Date.now();
}

function onBlur(): void {
  if (isOn()) showCover();
}

function onLeave(): void {
  if (!isOn()) return;
  showCover();
  leftAt ??= Date.now();
  // After the other listeners, which write what was being typed.
  setTimeout(lockWhenDue);
}

function onReturn(): void {
  if (lockWhenDue()) return;
  leftAt = undefined;
  active = Date.now();
  hideCover();
}

const isOn = () => readDevice(LOCK) !== null;

/** Answers whether the page is on its way to be locked. */
function lockWhenDue(): boolean {
  const record = readDevice(LOCK);
  if (!record || isLocking) return isLocking;
  const now = Date.now();
  const isPicking = now - picking < PICKING_MS;
  const waits = record.after * MINUTE_MS;
  const isDue = leftAt === undefined ? waits > 0 && now - active >= waits : !isPicking && now - leftAt >= waits;
  if (isDue) void lock();
  return isDue;
}

/** Locks now. */
export async function lock(): Promise<void> {
  isLocking = true;
  showCover();
  // A slow disk must not keep it open.
  await Promise.race([vaultSettled(), new Promise((resolve) => setTimeout(resolve, 1000))]);
  location.reload();
}

/** Over everything, dialogs too, in the same moment: the system pictures the page for its switcher right after. */
function showCover(): void {
  if (!cover) {
    cover = document.createElement("div");
    cover.setAttribute("popover", "manual");
    cover.dataset.cover = "";
    cover.style.cssText =
      "position:fixed;inset:0;width:100%;height:100%;max-width:none;max-height:none;margin:0;border:0;padding:0;background:var(--surface);visibility:visible;z-index:2147483647";
    document.documentElement.append(cover);
  }
  cover.hidden = false;
  document.documentElement.style.visibility = "hidden";
  try {
    cover.showPopover?.();
  } catch {
    // It is there already.
  }
}

function hideCover(): void {
  if (!cover) return;
  try {
    cover.hidePopover?.();
  } catch {
    // It was not shown.
  }
  cover.hidden = true;
  document.documentElement.style.visibility = "";
}
