import "@lambda/ui/theme";
import "./first-paint.css";
import { FIRST_PAINT_WAIT_MS } from "@lambda/contract/limits";
import { StrictMode, startTransition } from "react";
import { createRoot, hydrateRoot } from "react-dom/client";
import { Router } from "wouter";
import { App } from "./app.tsx";
import { clearLeftoverData } from "./device/clear-local-data.ts";
import { hasSession } from "./device/session-cookie.ts";
import { DATABASE_WAIT_MS, withDeadline } from "./device/with-deadline.ts";
import { browserLocale, startLocale } from "./format/i18n.ts";
import { pageBrand, SiteProvider } from "./format/site.ts";
import { startTheme } from "./format/theme.ts";
import { preloadPath } from "./preload-path.ts";
import { currentAddress, hrefOf, usePath, useQuery } from "./routing/address.ts";
import { createChunkLoader } from "./routing/load-chunk.ts";
import { watchSession } from "./session/watch-session.ts";
import { startScrollMemory } from "./shell/scroll-memory.ts";
import { surviveTranslation } from "./shell/survive-translation.ts";

const root = document.getElementById("app");
if (!root) throw new Error("no #app");
const html = document.documentElement;
const isPrerendered = html.dataset.prerendered !== undefined && html.dataset.prerendered !== "other";
const locale = isPrerendered && html.lang === "es" ? "es" : isPrerendered ? "en" : browserLocale();
startTheme();
surviveTranslation();
startLocale();

const app = (
  <StrictMode>
    <SiteProvider value={{ brand: pageBrand(), locale }}>
      <Router hook={usePath} searchHook={useQuery} hrefs={hrefOf}>
        <App />
      </Router>
    </SiteProvider>
  </StrictMode>
);
const render = () => {
  // React renders a transition in slices, which let a tap on a slow phone through.
  startTransition(() => {
    // On a slow line, another tab may have logged in since the first paint.
    if (isPrerendered && !hasSession()) hydrateRoot(root, app);
    else {
      root.replaceChildren();
      createRoot(root).render(app);
    }
  });
  delete html.dataset.prerendered;
  // A prerendered document has its styles inlined and defers its stylesheets.
  for (const link of document.querySelectorAll<HTMLLinkElement>('link[media="not all"]')) link.media = "all";
};

/** Reads what this device remembers of the last visit; without it, everything is fetched again. */
const restoreCache = () => import("./api/persisted-cache.ts").then(({ persistCache }) => persistCache());

const HABITS_DELAY_MS = 2000;
const habits = createChunkLoader(() => import("./shell/habits.ts"));

const start = () => {
  // Nothing of the first screen is closed, dropped or held so soon.
  setTimeout(async () => (await habits.preload())?.startHabits(), HABITS_DELAY_MS);
  clearLeftoverData();
  watchSession();
  startScrollMemory();
  // Loads the first screen's chunk while the rest of this function runs.
  const ready = preloadPath(currentAddress().pathname);
  // A visitor has nothing to restore and need not load the code for it.
  const restored = hasSession() ? withDeadline(DATABASE_WAIT_MS, restoreCache).catch(() => undefined) : undefined;
  // Renders the whole page at once if its chunks arrive within the wait, else the shell first; a prerendered page stays until it can
  // be hydrated. No top-level await: it would force the bundler to move shared code out of this file.
  const timeout = new Promise((resolve) => setTimeout(resolve, FIRST_PAINT_WAIT_MS));
  void Promise.all([restored, isPrerendered ? ready : Promise.race([ready, timeout])]).then(render);
};

// A locked device renders, reads and fetches nothing about its member before the PIN is entered.
if (html.dataset.gated)
  void import("./features/accounts/lock/show-locked-page.ts").then(({ showLockedPage }) => showLockedPage(start));
else start();

if (import.meta.env.PROD && "serviceWorker" in navigator) {
  // The site works online without it.
  const register = () => navigator.serviceWorker.register("/sw.js").catch(() => undefined);
  // A prerendered page may have fired its load event before this file ran.
  if (document.readyState === "complete") void register();
  else addEventListener("load", register);
}
