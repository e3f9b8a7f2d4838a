/**
 * Runs before anything is painted, as a file of its own without imports (build/first-paint.ts): puts the document in the device's
 * theme, and hides the visitor's home that the worker wrote into it from whoever is to see something else: a member, another
 * language, another page (a kept document without a network), one who hid the notice. theme.ts and the others take over later.
 * Where that home is seen, the application's files are asked for once it is painted.
 */
const PAINT_WAIT_MS = 500;

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
const isOther =
  location.pathname !== "/" ||
  /(?:^|;\s*)logged_in=1/.test(document.cookie) ||
  (locale !== null && locale !== html.lang) ||
  kept("banner_hidden") === true;
if (isOther) html.dataset.home = "other";

/** A button pressed before the application runs is pressed again by main.tsx; links lead on without it. */
addEventListener("click", ({ target }) => {
  const button = (target as Element).closest<HTMLButtonElement>("[data-painted] button");
  if (button) html.dataset.pressed = String([...document.querySelectorAll("button")].indexOf(button));
});

/** Where the worker wrote a home into the document, it left the application's files to be asked for here. */
function startApplication(): void {
  for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel="later"]')) link.rel = "modulepreload";
  const later = document.querySelector<HTMLScriptElement>('script[type="later"]');
  if (!later) return;
  const script = document.createElement("script");
  script.type = "module";
  script.crossOrigin = "";
  script.src = later.src;
  later.replaceWith(script);
}

// A page in the background is not painted; a browser may not tell of paints.
addEventListener("DOMContentLoaded", () => {
  if (isOther || document.hidden) startApplication();
});
addEventListener("load", () => setTimeout(startApplication, PAINT_WAIT_MS));
new PerformanceObserver(startApplication).observe({ type: "paint", buffered: true });

export {};
