/**
 * Runs before anything is painted, as a file of its own without imports (build/prerender.ts): puts the document in the device's
 * theme, and hides the page that the document brought from whoever is to see something else: a member, another language, another
 * page (a kept document without a network), one who hid the notice. A disguised or locked document loses the brand's name and icon,
 * and a quick exit works from here on. theme.ts, main.tsx and wear-disguise.ts take over later.
 */
import { watchQuickExit } from "./device/quick-exit.ts";

function kept(name: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(name) ?? "null");
  } catch {
    return null;
  }
}

const html = document.documentElement;
watchQuickExit();
// Another tab turned a lock on or off: what this one would keep meanwhile would lie in the clear, or be sealed for nobody.
addEventListener("storage", ({ key, oldValue, newValue }) => {
  if ((key === "lock" || key === "notes") && (oldValue === null) !== (newValue === null)) location.reload();
});

const theme = kept("theme");
const isLight = theme === "light" || (theme === "system" && matchMedia("(prefers-color-scheme: light)").matches);
html.dataset.theme = isLight ? "light" : "dark";

const locale = kept("locale");
const isGated = kept("lock") !== null || kept("notes") !== null;
// Read by main.tsx.
if (isGated) html.dataset.gated = "yes";
const neutral = { id: "notes", name: (locale ?? html.lang) === "es" ? "Notas" : "Notes" };
const face = (kept("disguise") ?? (isGated ? neutral : null)) as typeof neutral | null;
if (face) {
  if (!isGated) html.dataset.name = face.name;
  document.title = face.name;
  for (const link of document.querySelectorAll('link[rel~="icon"], link[rel="apple-touch-icon"]'))
    link.setAttribute("href", `/icons/${face.id}-192.png`);
}
// A disguise says its own name on every screen, whatever is written there: a screen's title would tell what lies behind it.
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
  kept("banner_hidden") === true;
if (prerendered !== undefined && isOther) html.dataset.prerendered = "other";
