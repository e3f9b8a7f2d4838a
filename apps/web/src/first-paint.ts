/**
 * Runs before anything is painted, as a file of its own without imports (build/prerender.ts): puts the document in the device's
 * theme, and hides the page that the document brought from whoever is to see something else: a member, another language, another
 * page (a kept document without a network), one who hid the notice. theme.ts and main.tsx take over later.
 */
function kept(name: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(name) ?? "null");
  } catch {
    return null;
  }
}

const html = document.documentElement;
const theme = kept("theme");
const isLight = theme === "light" || (theme === "system" && matchMedia("(prefers-color-scheme: light)").matches);
html.dataset.theme = isLight ? "light" : "dark";

const locale = kept("locale");
const { prerendered } = html.dataset;
const isOther =
  location.pathname !== prerendered ||
  location.search !== "" ||
  /(?:^|;\s*)logged_in=1/.test(document.cookie) ||
  (locale !== null && locale !== html.lang) ||
  kept("banner_hidden") === true;
if (prerendered !== undefined && isOther) html.dataset.prerendered = "other";

export {};
