import "@lambda/ui/theme";
import "./first-paint.css";
import { FIRST_DRAW_WAIT_MS } from "@lambda/contract/limits";
import { StrictMode } from "react";
import { createRoot, hydrateRoot } from "react-dom/client";
import { App } from "./app.tsx";
import { clearLeftovers } from "./device/clear-local-data.ts";
import { hasSession } from "./device/session-cookie.ts";
import { startTheme } from "./device/theme.ts";
import { browserLocale, startLocale } from "./format/i18n.ts";
import { pageBrand, SiteProvider } from "./format/site.ts";
import { preloadPath } from "./routing/preload-path.ts";
import { watchSession } from "./session/watch-session.ts";
import { startScrollMemory } from "./shell/scroll-memory.ts";

const root = document.getElementById("app");
if (!root) throw new Error("no #app");
const html = document.documentElement;
const isPrerendered = html.dataset.prerendered !== undefined && html.dataset.prerendered !== "other";
const locale = isPrerendered && html.lang === "es" ? "es" : isPrerendered ? "en" : browserLocale();
startTheme();
startLocale();

const app = (
  <StrictMode>
    <SiteProvider value={{ brand: pageBrand(), locale }}>
      <App />
    </SiteProvider>
  </StrictMode>
);
const draw = () => {
  if (isPrerendered) hydrateRoot(root, app);
  else {
    root.replaceChildren();
    createRoot(root).render(app);
  }
  delete html.dataset.prerendered;
  // A prerendered document paints with styles of its own, and has its stylesheets come late.
  for (const link of document.querySelectorAll<HTMLLinkElement>('link[media="not all"]')) link.media = "all";
};

const begin = () => {
  clearLeftovers();
  watchSession();
  startScrollMemory();
  // The first screen's chunk loads while the rest of this runs.
  const ready = preloadPath(location.pathname);
  // A visitor has nothing to restore, and does without the code for it.
  const restored = hasSession()
    ? import("./api/persisted-cache.ts").then(({ persistCache }) => persistCache()).catch(() => undefined)
    : undefined;
  // The whole page at once where its chunks come soon, else its frame first. What the document brought stays until it can be taken
  // over. No await at the top: it would keep the bundler from leaving in this file what other chunks use too.
  const soon = new Promise((resolve) => setTimeout(resolve, FIRST_DRAW_WAIT_MS));
  void Promise.all([restored, isPrerendered ? ready : Promise.race([ready, soon])]).then(draw);
};

// A locked device draws, reads and asks for nothing of its member before the PIN.
if (html.dataset.gated) void import("./features/lock/gate.ts").then(({ openGate }) => openGate(begin));
else begin();

if (import.meta.env.PROD && "serviceWorker" in navigator) {
  // Without it the site works all the same, online.
  const register = () => navigator.serviceWorker.register("/sw.js").catch(() => undefined);
  // Where a page was prerendered, it may have loaded before this file did.
  if (document.readyState === "complete") void register();
  else addEventListener("load", register);
}
