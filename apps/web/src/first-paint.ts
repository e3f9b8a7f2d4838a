/**
 * Runs before the first paint as a separate classic script (build/prerender.ts). Applies the device's theme, starts the quick exit,
 * replaces the brand's name and icon on a disguised or locked device, tells that a browser is too old, and hides a prerendered page that
 * does not fit this device (for members, in another language, at another path). theme.ts, main.tsx and apply-disguise.ts take over later.
 */
import { hideUnlockedSecret } from "./device/locked-tabs.ts";
import { watchQuickExit } from "./device/quick-exit.ts";

function readStored(name: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(name) ?? "null");
  } catch {
    return null;
  }
}

function hasStored(name: string): boolean {
  try {
    return localStorage.getItem(name) !== null;
  } catch {
    return false;
  }
}

const html = document.documentElement;
// The newest of what the application needs, except for its syntax: keep in step with build/browsers.ts.
if (!("toWellFormed" in String.prototype && CSS.supports("selector(:has(a))"))) html.dataset.old = "";
watchQuickExit();
// Another tab turned the lock on or off: without a reload this tab would go on storing data unencrypted, or encrypted with a lost key.
addEventListener("storage", ({ key, oldValue, newValue }) => {
  if (key === "lock" && (oldValue === null) !== (newValue === null)) location.reload();
});

// Browsers keep what is typed into fields on the disk, for the restored tab and for suggestions, unless a field says "off". A token before
// that lets password managers fill it in.
addEventListener("input", ({ target }) => (target as Element | null)?.setAttribute?.("autocomplete", "off"), true);

const theme = readStored("theme");
const isLight = theme === "light" || (theme === "system" && matchMedia("(prefers-color-scheme: light)").matches);
html.dataset.theme = isLight ? "light" : "dark";

const locale = readStored("locale");
const isGated = hasStored("lock");
// main.tsx reads this.
if (isGated) {
  html.dataset.gated = "yes";
  hideUnlockedSecret();
}
const neutral = { id: "notes", name: (locale ?? html.lang) === "es" ? "Notas" : "Notes" };
const disguise = (readStored("disguise") ?? (isGated ? neutral : null)) as typeof neutral | null;
if (disguise) {
  if (!isGated) html.dataset.name = disguise.name;
  document.title = disguise.name;
  for (const link of document.querySelectorAll('link[rel~="icon"], link[rel="apple-touch-icon"]'))
    link.setAttribute("href", `/icons/${disguise.id}-192.png`);
}
// A disguised device shows the disguise's name on every screen, because a screen's title would give the site away.
const title = document.querySelector("title");
if (title)
  new MutationObserver(() => {
    const { name } = html.dataset;
    if (name !== undefined && document.title !== name) document.title = name;
  }).observe(title, { childList: true });
const { prerendered } = html.dataset;
const isOther =
  isGated ||
  location.pathname !== prerendered ||
  location.search !== "" ||
  /(?:^|;\s*)logged_in=1/.test(document.cookie) ||
  (locale !== null && locale !== html.lang) ||
  readStored("banner_hidden") === true;
if (prerendered !== undefined && isOther) html.dataset.prerendered = "other";
