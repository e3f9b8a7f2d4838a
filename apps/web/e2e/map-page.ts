import type { BrandId } from "@lambda/brands";
import type { Point } from "@lambda/geo/distance";
import { DESKTOP, openSite, type PHONE } from "@lambda/testing/browser";
import type { BrowserContext, Page } from "playwright-core";
import { type BrowserMember, logIn } from "./members.ts";

let seaCount = 0;

/** More than any test file uses; each file has its own site. */
const SEAS = 16;

/** An empty part of the Pacific for one test: four degrees from the next, and far from countries where members are hidden. */
export function newSea(): Point {
  seaCount = (seaCount + 1) % SEAS;
  return { lat: 2, lon: -146 + seaCount * 4 };
}

export interface OpenedMap {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly errors: string[];
  /** URLs and bodies of all requests so far. */
  readonly sent: string[];
}

export interface MapOptions {
  readonly viewport?: typeof PHONE;
  readonly geolocation?: { latitude: number; longitude: number };
  readonly view?: Point & { readonly zoom: number };
  readonly hash?: string;
  readonly gpsError?: number;
  /** Installs fake timers, which the test advances through page.clock. */
  readonly fakeClock?: boolean;
  readonly theme?: "dark" | "light";
  readonly brand?: BrandId;
  /** Closes the map's socket, so that no live updates arrive. */
  readonly withoutSocket?: boolean;
}

/** Opens the map as a member, in a new browser profile. */
export async function openMap(member: BrowserMember, options: MapOptions = {}): Promise<OpenedMap> {
  const {
    viewport = DESKTOP,
    geolocation,
    view,
    hash = "",
    gpsError,
    fakeClock,
    theme = "dark",
    brand = "ember",
    withoutSocket,
  } = options;
  const site = await openSite();
  const opened = await site.open({ viewport, brand, ...(geolocation && { geolocation }) });
  const { context, page } = opened;
  await logIn(site, context, member, { brand });
  const sent: string[] = [];
  page.on("request", (request) => sent.push(`${decodeURIComponent(request.url())} ${request.postData() ?? ""}`));
  // Labels of the first visits would cover what tests press.
  await context.addInitScript(() => {
    localStorage.getItem("map_visits") ?? localStorage.setItem("map_visits", "3");
    localStorage.getItem("hide_explained") ?? localStorage.setItem("hide_explained", "true");
  });
  if (view) {
    await context.addInitScript(
      (saved) => localStorage.getItem("mapViewState") ?? localStorage.setItem("mapViewState", JSON.stringify(saved)),
      { lat: view.lat, lon: view.lon, zoom: view.zoom },
    );
  }
  if (gpsError !== undefined) {
    await context.addInitScript((code) => {
      navigator.geolocation.watchPosition = (_onFix, onError) => {
        setTimeout(() => onError?.({ code } as GeolocationPositionError), 10);
        return 1;
      };
    }, gpsError);
  }
  await context.addInitScript((chosen) => localStorage.setItem("theme", JSON.stringify(chosen)), theme);
  if (fakeClock) await page.clock.install();
  if (withoutSocket) await page.routeWebSocket(/\/ws\/map/, (socket) => void socket.close());
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.goto(`/search/map${hash}`);
  await ownMarker(page).waitFor();
  return { ...opened, sent };
}

export const ownMarker = (page: Page) => page.getByRole("button", { name: /^Your marker/ });
export const mapControl = (page: Page, name: string | RegExp) =>
  page.getByRole("region", { name: "Map controls" }).getByRole("button", { name });
/** A control beside the map. On a phone, {@link openPanel} shows it. */
export const placeControl = (page: Page, name: string | RegExp) =>
  page.getByRole("region", { name: "Your place" }).getByRole("button", { name });
/** Opens the sheet with all that does not stand on a phone's map. */
export const openPanel = (page: Page) => page.getByRole("button", { name: /^\d+ (men|man|areas?)$/ }).click();
export const markerOf = (page: Page, { id }: BrowserMember) => page.locator(`[data-member="${id}"]`);
export const waitForReport = (page: Page) =>
  page.waitForResponse(
    (response) => response.url().includes("positions.report") && response.request().method() === "POST",
  );

/** Finds the point at which other members see a member. */
export async function findPublishedPoint(page: Page, { id }: BrowserMember, sea: Point): Promise<Point | undefined> {
  const query = `latMin=${sea.lat - 1.5}&latMax=${sea.lat + 1.5}&lonMin=${sea.lon - 1.5}&lonMax=${sea.lon + 1.5}`;
  const briefs = await page.evaluate(
    async (address) => (await (await fetch(address)).json()) as { profileId: number; lat: number; lon: number }[],
    `/api/profile-briefs/by-bounds?${query}`,
  );
  const brief = briefs.find(({ profileId }) => profileId === id);
  return brief && { lat: brief.lat, lon: brief.lon };
}

/** The count once it has not changed for a second. */
export async function settledCount(count: () => number): Promise<number> {
  for (;;) {
    const before = count();
    await new Promise((resolve) => setTimeout(resolve, 1000));
    if (before > 0 && count() === before) return before;
  }
}

/** Counts the calls of a procedure among sent requests; one request batches several. */
export const countCalls = (sent: readonly string[], name: string): number =>
  sent.reduce((sum, text) => sum + (text.match(new RegExp(`positions\\.${name}(?=[,?])`, "g"))?.length ?? 0), 0);
