/**
 * Covers the screen when the member leaves the page and locks it after the chosen delay. Locking reloads the page, so
 * that no member data stays in its memory.
 */
import { MINUTE_MS } from "@lambda/contract/limits";
import { readDeviceValue } from "../../../device/device-storage.ts";
import { LOCK, NOTES } from "../../../device/lock-record.ts";
import { hideUnlockedSecret, openLockedTabs } from "../../../device/locked-tabs.ts";
import { appLock } from "../../../device/vault.ts";

const CHECK_MS = 5_000;
/** Choosing or taking a picture leaves the page on a phone, and must not lock it before the picture is used. */
const FILE_PICKING_MS = 3 * MINUTE_MS;

/** By the device's clock, which may be set back, and by that of the page, which may stand still while the device sleeps. */
interface Moment {
  readonly date: number;
  readonly page: number;
}
const thisMoment = (): Moment => ({ date: Date.now(), page: performance.now() });
const msSince = ({ date, page }: Moment) => Math.max(Date.now() - date, performance.now() - page);

let isStarted = false;
let lastActive: Moment;
let left: Moment | undefined;
let filePicked: Moment | undefined;
let isLocking = false;
let cover: HTMLElement | undefined;

/** Starts the auto-lock. Further calls on the same page only count as activity. */
export function startAutoLock(): void {
  lastActive = thisMoment();
  if (isStarted) return;
  isStarted = true;
  addEventListener("blur", onBlur);
  addEventListener("focus", onReturn);
  addEventListener("pagehide", onLeave);
  // A closed tab must not leave the session open, so a page that comes back from the bfcache is locked.
  addEventListener("pagehide", () => isLockOn() && hideUnlockedSecret());
  addEventListener("pageshow", ({ persisted }) => (persisted && isLockOn() ? void lockNow() : onReturn()));
  document.addEventListener("visibilitychange", () => (document.hidden ? onLeave() : onReturn()));
  for (const type of ["pointerdown", "keydown", "touchmove", "wheel"] as const)
    addEventListener(type, onActivity, { capture: true, passive: true });
  for (const type of ["click", "change", "cancel"] as const) addEventListener(type, onFileInput, { capture: true });
  setInterval(lockIfDue, CHECK_MS);
  // The second PIN in another tab has replaced the record of the lock.
  openLockedTabs()?.addEventListener("message", () => (isLockOn() || readDeviceValue(NOTES)) && void lockPage());
}

function onActivity(): void {
  lastActive = thisMoment();
}

/** The picker opens with a click. Phones report its end before the page is shown again, which onReturn() then handles. */
function onFileInput({ type, target }: Event): void {
  if (!(target instanceof HTMLInputElement) || target.type !== "file") return;
  if (type === "click") filePicked = thisMoment();
  else if (left === undefined) filePicked = undefined;
}

function onBlur(): void {
  if (isLockOn()) showCover();
}

function onLeave(): void {
  if (!isLockOn()) return;
  showCover();
  left ??= thisMoment();
  // After the other listeners, which save drafts.
  setTimeout(lockIfDue);
}

function onReturn(): void {
  if (lockIfDue()) return;
  // Only after the page was away: a phone's menu of picture sources may take and return the focus before that.
  if (left) filePicked = undefined;
  left = undefined;
  lastActive = thisMoment();
  hideCover();
}

const isLockOn = () => readDeviceValue(LOCK) !== null;

function lockIfDue(): boolean {
  const record = readDeviceValue(LOCK);
  if (!record || isLocking) return isLocking;
  const isPicking = filePicked && msSince(filePicked) < FILE_PICKING_MS;
  const delay = record.after * MINUTE_MS;
  const isDue = left ? !isPicking && msSince(left) >= delay : delay > 0 && msSince(lastActive) >= delay;
  if (isDue) void lockNow();
  return isDue;
}

export function lockNow(): Promise<void> {
  hideUnlockedSecret();
  return lockPage();
}

async function lockPage(): Promise<void> {
  if (isLocking) return;
  isLocking = true;
  showCover();
  // A slow disk must not keep the page unlocked.
  await Promise.race([appLock.vault?.flush(), new Promise((resolve) => setTimeout(resolve, 1000))]);
  location.reload();
}

/** Covers everything, including dialogs, synchronously: the system takes its app switcher screenshot right after. */
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
    // It is already shown.
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
