import "@lambda/ui/theme";
import "./first-paint.css";
import { FIRST_DRAW_WAIT_MS } from "@lambda/contract/limits";
import { StrictMode } from "react";
import { flushSync } from "react-dom";
import { createRoot } from "react-dom/client";
import { App } from "./app.tsx";
import { startTheme } from "./device/theme.ts";
import { wipeLeftovers } from "./device/wipe.ts";
import { startLocale } from "./format/i18n.ts";
import { preloadPath } from "./routing/preload-path.ts";
import { startScrollMemory } from "./shell/scroll-memory.ts";

wipeLeftovers();
// The first screen's chunk loads while the rest of this file runs.
const ready = preloadPath(location.pathname);
startTheme();
startLocale();
startScrollMemory();

const root = document.getElementById("app");
if (!root) throw new Error("the page has no #app");
const { dataset } = document.documentElement;
if (dataset.home) root.replaceChildren();
delete dataset.home;
const isPainted = root.firstElementChild !== null;

const reachable = () => [...root.querySelectorAll<HTMLElement>("a, button")];

const draw = () => {
  const focused = reachable().indexOf(document.activeElement as HTMLElement);
  delete root.dataset.painted;
  flushSync(() =>
    createRoot(root).render(
      <StrictMode>
        <App />
      </StrictMode>,
    ),
  );
  // What was painted first had the same links and the same buttons, which did nothing yet.
  reachable()[focused]?.focus({ preventScroll: true });
  if (dataset.pressed) document.querySelectorAll("button")[Number(dataset.pressed)]?.click();
  delete dataset.pressed;
};
// The whole page at once where its chunks come soon, else its frame first. A home that the document brought stays until it can be
// replaced by the same. No await at the top: it would keep the bundler from leaving in this file what other chunks use too.
const soon = new Promise((resolve) => setTimeout(resolve, FIRST_DRAW_WAIT_MS));
void (isPainted ? ready : Promise.race([ready, soon])).then(draw);

if (import.meta.env.PROD && "serviceWorker" in navigator) {
  // Without it the site works all the same, online.
  const register = () => navigator.serviceWorker.register("/sw.js").catch(() => undefined);
  // Where a home was painted first, the page may have loaded before this file did.
  if (document.readyState === "complete") void register();
  else addEventListener("load", register);
}
