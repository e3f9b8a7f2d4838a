import { PHONE } from "@lambda/testing/browser";
import { expect } from "vitest";
import { makeMember } from "../e2e/members.ts";
import { reportPosition } from "../e2e/nearby.ts";
import { button, type Tab, text } from "./tab.ts";
import { inEachEngine } from "./walk.ts";

/** In the Pacific, far from all others. */
const HERE = { lat: 2, lon: -146 };
const CANVAS = { css: "canvas.maplibregl-canvas" };
const WALK = button("Walk", { role: "region", name: "Your place" });
/** Labels of the first visits would cover what is pressed. */
const KNOWN_MAP = `try { localStorage.setItem("map_visits", "3"); localStorage.setItem("hide_explained", "true"); } catch {}`;

/** A phone has it in the sheet of the map. */
async function findWalk(tab: Tab): Promise<void> {
  const isPhone = (await tab.driver.evaluate(() => innerWidth)) === PHONE.width;
  if (isPhone) await tab.press(button(/^\d+ (man|men|areas?)$/));
  await tab.see(WALK);
}

const view = (tab: Tab) => tab.driver.evaluate(() => localStorage.getItem("mapViewState"));

inEachEngine(
  "the map, dragged, and the GPS, granted",
  async (tab, site) => {
    const me = await tab.logIn(site, "Ansel");
    await reportPosition(site, me, { ...HERE, lat: HERE.lat + 0.1 });
    await tab.goto("/search/map");
    await tab.see(button(/^Your marker/));
    const { x, y, width, height } = await tab.boxOf(CANVAS);
    const before = await view(tab);
    const from = { x: x + width / 2, y: y + height / 4 };
    await tab.drag(from, { x: from.x - 100, y: from.y + 120 });
    await tab.until("the map to move", async () => (await view(tab)) !== before);
    await findWalk(tab);
    await tab.press(WALK);
    // Others see the new place later: the cells on the way would tell where in one a home is.
    await tab.until("the position of the GPS", async () => {
      const [position] = await site.sql("select use, cell, pending_cell from position where profile_id = ?", me.id);
      return position?.use === "DEVICE_GPS" && ![null, position.cell].includes(position.pending_cell as number | null);
    });
  },
  { gps: HERE, script: KNOWN_MAP },
);

inEachEngine(
  "the GPS, denied",
  async (tab, site) => {
    const me = await tab.logIn(site, "Ansel");
    await reportPosition(site, me, HERE);
    await tab.goto("/search/map");
    await findWalk(tab);
    await tab.press(WALK);
    await tab.see(text("GPS: Geolocation denied, your device refused to provide location"));
    await tab.press(button("Close"));
    await findWalk(tab);
  },
  { script: KNOWN_MAP },
);

inEachEngine(
  "the welcome, whose question for the position is never answered",
  async (tab, site) => {
    await tab.logIn(site, "Ansel");
    await tab.goto("/welcome");
    // The map fills its rounded box to the edges.
    const [map, box] = [await tab.boxOf(CANVAS), await tab.boxOf({ css: "main div:has(> .maplibregl-map)" })];
    for (const side of ["x", "y", "width", "height"] as const) expect(Math.abs(map[side] - box[side])).toBeLessThan(1);
    await tab.press(button("Use my location"));
    await tab.see(text(/^Geolocation timed out/));
    await tab.press(button("Show me in this square"));
    await tab.at(/^\/search\/tile/);
  },
  { gps: "silent", script: `try { localStorage.setItem("welcome_step", "2"); } catch {}` },
);

inEachEngine("without a connection and back, and the service worker's update", async (tab, site) => {
  await tab.logIn(site, "Ansel");
  const other = await makeMember(site, { name: "Marco" });
  await tab.driver.evaluate(async () => void (await navigator.serviceWorker.ready));
  await tab.goto(`/chat/personal?with=${other.id}`);
  const field = { role: "textbox", name: "Message" };
  await tab.see(field);
  await tab.until("the files on the device", () => tab.driver.evaluate(areFilesKept));
  await tab.proxy.setOffline(true);
  await tab.fill(field, "just in time");
  await tab.press(button("Send"));
  await tab.see(text("Sending"));
  await tab.goto(`/chat/personal?with=${other.id}`);
  await tab.see(text("just in time", { role: "log" }));
  await tab.proxy.setOffline(false);
  await tab.goto(`/chat/personal?with=${other.id}`);
  await tab.until("the message", async () => {
    const rows = await site.sql("select body_text from message where recipient_id = ?", other.id);
    return rows.length === 1 && rows[0]?.body_text === "just in time";
  });

  await tab.driver.evaluate(() =>
    navigator.serviceWorker.addEventListener("controllerchange", () => Object.assign(window, { isUpdated: true })),
  );
  tab.proxy.updateWorker();
  await tab.until("the new service worker", () =>
    tab.driver.evaluate(async () => {
      await (await navigator.serviceWorker.ready).update();
      return "isUpdated" in window;
    }),
  );
  await tab.goto("/search/tile");
  await tab.see(button("Filters"));
});

/** Runs in the page: whether it can be opened without a connection. */
async function areFilesKept(): Promise<boolean> {
  const files = performance.getEntriesByType("resource").filter(({ name }) => name.includes("/assets/"));
  const kept = await Promise.all(files.map(({ name }) => caches.match(name)));
  return (
    navigator.serviceWorker.controller !== null &&
    kept.every((answer) => answer !== undefined) &&
    localStorage.getItem("query-cache") !== null
  );
}
