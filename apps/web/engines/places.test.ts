import { reportPosition } from "../e2e/nearby.ts";
import { button, text } from "./tab.ts";
import { inEachEngine } from "./walk.ts";

/** In the Pacific, far from all others. */
const HERE = { lat: 2, lon: -146 };
const WALK = button("Walk", { role: "region", name: "Map controls" });
/** Labels of the first visits would cover what is pressed. */
const KNOWN_MAP = `try { localStorage.setItem("map_visits", "3"); localStorage.setItem("hide_explained", "true"); } catch {}`;

inEachEngine(
  "the GPS, denied",
  async (tab, site) => {
    const me = await tab.logIn(site, "Ansel");
    await reportPosition(site, me, HERE);
    await tab.goto("/search/map");
    await tab.press(WALK);
    await tab.see(text("GPS: Geolocation denied, your device refused to provide location"));
    await tab.see(WALK);
  },
  { script: KNOWN_MAP },
);

inEachEngine(
  "the welcome, whose question for the position is never answered",
  async (tab, site) => {
    await tab.logIn(site, "Ansel");
    await tab.goto("/welcome");
    await tab.press(button("Use my location"));
    await tab.see(text(/^Geolocation timed out/));
    await tab.press(button("Show me in this square"));
    await tab.at(/^\/search\/tile/);
  },
  { gps: "silent", script: `try { localStorage.setItem("welcome_step", "2"); } catch {}` },
);
