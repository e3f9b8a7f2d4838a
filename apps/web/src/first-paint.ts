/**
 * Runs before anything is painted, as a file of its own without imports (build/prerender.ts): puts the document in the device's
 * theme, and hides the page that the document brought from whoever is to see something else: a member, another language, another
 * page (a kept document without a network), one who hid the notice. A disguised or locked document loses the brand's name and icon,
 * and a quick exit that came by here goes on. theme.ts, main.tsx, wear-disguise.ts and quick-exit.ts take over later.
 */
function kept(name: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(name) ?? "null");
  } catch {
    return null;
  }
}

const html = document.documentElement;
try {
  if (Number(sessionStorage.getItem("leaving")) > Date.now() - 5000) {
    html.style.visibility = "hidden";
    history.replaceState(null, "", "/notepad");
    history.pushState(null, "", "/notepad");
    location.replace("/notepad");
  }
} catch {
  // No storage, nothing to leave.
}

const theme = kept("theme");
const isLight = theme === "light" || (theme === "system" && matchMedia("(prefers-color-scheme: light)").matches);
html.dataset.theme = isLight ? "light" : "dark";

const locale = kept("locale");
const isGated = kept("lock") !== null || kept("notes") !== null;
const neutral = { id: "notes", name: (locale ?? html.lang) === "es" ? "Notas" : "Notes" };
const face = (kept("disguise") ?? (isGated ? neutral : null)) as typeof neutral | null;
if (face) {
  document.title = face.name;
  for (const link of document.querySelectorAll('link[rel~="icon"], link[rel="apple-touch-icon"]'))
    link.setAttribute("href", `/icons/${face.id}-192.png`);
}
const { prerendered } = html.dataset;
const isOther =
  isGated ||
  location.pathname !== prerendered ||
  location.search !== "" ||
  /(?:^|;\s*)logged_in=1/.test(document.cookie) ||
  (locale !== null && locale !== html.lang) ||
  kept("banner_hidden") === true;
if (prerendered !== undefined && isOther) html.dataset.prerendered = "other";

export {};
