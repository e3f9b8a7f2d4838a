import "@lambda/ui/theme";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app.tsx";
import { startLocale } from "./lib/i18n.ts";
import { matchRoute } from "./lib/match-route.ts";
import { restoreCache, startPersisting } from "./lib/persisted-cache.ts";
import { startTheme } from "./lib/theme.ts";
import { startScrollMemory } from "./shell/scroll-memory.ts";

// The first screen's chunk loads while the rest of this file runs.
matchRoute(location.pathname).screen.preload();
startTheme();
startLocale();
startScrollMemory();
restoreCache(Date.now());
startPersisting();

const root = document.getElementById("app");
if (!root) throw new Error("the page has no #app");
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);

if (import.meta.env.PROD && "serviceWorker" in navigator) {
  addEventListener("load", () => {
    // Without it the site works all the same, online.
    navigator.serviceWorker.register("/sw.js").catch(() => undefined);
  });
}
