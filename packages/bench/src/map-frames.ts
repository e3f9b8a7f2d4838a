/**
 * Measures the cost of a frame while panning the map with 800 visible members (the viewer and 799 others), compared with an empty map.
 * The others are removed and added in iteration on one page, so that other load on the machine affects both states equally. Frames are
 * rendered in software, without a rate limit.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { getBrand } from "@lambda/brands";
import { MARKERS_MAX, SECTOR_REFETCH_MS } from "@lambda/contract/limits";
import { keyOfPoint } from "@lambda/geo/curve";
import type { Point } from "@lambda/geo/distance";
import { snapToGrid } from "@lambda/geo/grid";
import { DESKTOP, launchChromium } from "@lambda/testing/browser";
import { memberStatements, sessionStatement } from "@lambda/testing/members";
import { seededRandom } from "@lambda/testing/random";
import { createDatabase, freePort, startSite } from "@lambda/testing/site";
import { putBasemap } from "../../tooling/src/basemap/put.ts";
import { portrait } from "../../tooling/src/seed/portraits.ts";
import { formatSpread, printGoal, printLine, quantile, round } from "./figures.ts";
import type { BenchOptions } from "./options.ts";

type Browser = Awaited<ReturnType<typeof launchChromium>>;
type Page = Awaited<ReturnType<Browser["newPage"]>>;
type State = "empty" | "full";

const ROUNDS_MAX = 12;
const ROUNDS_MIN = 3;
/** No further round starts after this time, so that the bench also ends on a loaded machine. */
const BUDGET_MS = 130_000;
/** Frames per pan; an even number, because half of them move back. */
const FRAMES = 40;
/** The first frames of a pan are skipped, because they finish work left over from the previous one. */
const SKIPPED = 6;
const ZOOM = 11.5;
const PORTRAITS = 24;
/** Degrees around the city's center; all of it is visible at the zoom above. */
const SPREAD: Point = { lat: 0.07, lon: 0.1 };

export async function run({ members }: BenchOptions): Promise<void> {
  const count = Math.min(MARKERS_MAX, members ?? MARKERS_MAX);
  const state = mkdtempSync(join(tmpdir(), "bench-map-"));
  createDatabase(state);
  await putBasemap(state);
  const site = await startSite({ port: await freePort(), state });
  // Without a fixed frame rate, a frame's duration is its actual cost, not a multiple of 1/60 s.
  const browser = await launchChromium(["--disable-frame-rate-limit", "--disable-gpu-vsync"], { windows: true });
  try {
    const city = getBrand("ember").firstCity;
    await populate(site.port, city, count);
    const page = await openMap(browser, site.port, city);
    const show = (next: State) => switchTo(page, site.port, next, count);
    const [frames, cpu, ratios] = [{ empty: [], full: [] }, { empty: [], full: [] }, []] as [
      Record<State, number[]>,
      Record<State, number[]>,
      number[],
    ];
    const cpuTime = await cpuMeter(browser);
    printLine("load average before", loadavg().map(round).join(" "));
    const until = Date.now() + BUDGET_MS;
    // The first round warms up.
    for (
      let iteration = 0;
      iteration <= ROUNDS_MAX && (iteration <= ROUNDS_MIN || Date.now() < until);
      iteration += 1
    ) {
      const medians = { empty: 0, full: 0 };
      // The order alternates, so that increasing load on the machine does not affect only one state.
      const order: readonly State[] = iteration % 2 === 0 ? ["empty", "full"] : ["full", "empty"];
      for (const name of order) {
        await show(name);
        const before = await cpuTime();
        const times = (await pan(page)).slice(SKIPPED);
        medians[name] = quantile(times, 0.5);
        if (iteration === 0) continue;
        cpu[name].push(((await cpuTime()) - before) / FRAMES);
        frames[name].push(...times);
      }
      if (iteration > 0) ratios.push(medians.full / medians.empty);
    }
    await show("full");
    const shown = await page.locator("[data-member]").count();
    const listed = await page.getByRole("complementary").getByRole("listitem").count();
    printLine("load average after", loadavg().map(round).join(" "));
    printLine("others in the list, pictures on the map", `${listed}, ${shown}`);
    printLine("rounds, frames of each state", `${ratios.length}, ${frames.full.length}`);
    printLine("frame of the empty map, ms", formatSpread(frames.empty));
    printLine("frame with the members, ms", formatSpread(frames.full));
    printLine("ratio by round", ratios.map(round).join(" "));
    printLine("processor time a frame, empty and full, ms", `${round(mean(cpu.empty))}, ${round(mean(cpu.full))}`);
    printLine("processor time, full to empty", String(round(mean(cpu.full) / mean(cpu.empty))));
    printGoal("frame with members to empty (medians)", quantile(frames.full, 0.5) / quantile(frames.empty, 0.5), 1.5);
  } finally {
    await browser.close();
    await site.stop();
    rmSync(state, { recursive: true, force: true });
  }
}

/** Creates members 1 to `count`; the first is the viewer. */
async function populate(port: number, city: Point, count: number): Promise<void> {
  const random = seededRandom(8);
  const now = Date.now();
  const around = (reach: number) => (random.next() + random.next() - 1) * reach;
  const ids = Array.from({ length: count }, (_, index) => index + 1);
  const members = memberStatements(
    ...ids.map((id) => ({
      id,
      name: `Member ${id}`,
      sharingChosen: now,
      pictures: [1 + (id % PORTRAITS)],
      randomOrder: id,
    })),
  );
  const positions = ids.map((id) => {
    const point = { lat: city.lat + around(SPREAD.lat), lon: city.lon + around(SPREAD.lon) };
    return {
      query: `insert into position (profile_id, use, precision, cell, key, session, ts_published, ts_effective_until)
        values (?, 'OVERRIDE', 'street', ?, ?, 0, ?, ?)`,
      values: [id, snapToGrid(point.lat, point.lon, "street"), keyOfPoint(point), now, now + 86_400_000],
    };
  });
  await sql(port, { batch: [...members, ...positions] });
}

async function openMap(browser: Browser, port: number, city: Point): Promise<Page> {
  const { statement, token } = sessionStatement(1, { device: "Bench" });
  await sql(port, statement);
  const context = await browser.newContext({ viewport: DESKTOP });
  context.setDefaultTimeout(90_000);
  const shared = { domain: "ember.localhost", path: "/", secure: true, sameSite: "Lax" as const };
  await context.addCookies([
    { name: "__Host-session", value: token, httpOnly: true, ...shared },
    { name: "logged_in", value: "1", ...shared },
  ]);
  await context.addInitScript(
    ({ view, every }) => {
      localStorage.setItem("mapViewState", JSON.stringify(view));
      // Captures the page's polling callbacks, so that the bench can trigger them when the database has changed.
      const polls = new Map<number, () => void>();
      const { setInterval: start, clearInterval: stop } = window;
      Object.assign(window, {
        benchPolls: polls,
        setInterval: (act: () => void, ms: number) => {
          const id = start(act, ms) as unknown as number;
          if (ms === every) polls.set(id, act);
          return id;
        },
        clearInterval: (id: number) => {
          polls.delete(id);
          stop(id);
        },
      });
    },
    { view: { lat: city.lat, lon: city.lon, zoom: ZOOM }, every: SECTOR_REFETCH_MS },
  );
  // All members share 24 portraits, because the cost of a frame does not depend on their number.
  await context.route("**/api/profile-pic/**", async (route) => {
    const picture = Number(/(\d+)\?/.exec(route.request().url())?.[1] ?? 1);
    await route.fulfill({ contentType: "image/svg+xml", body: portrait(picture, 0, "face") });
  });
  const page = await context.newPage();
  page.on("crash", () => console.error("the page crashed"));
  await page.goto(`http://ember.localhost:${port}/search/map`);
  await page.getByRole("button", { name: /^Your marker/ }).waitFor();
  return page;
}

/** Removes the other members from the site, or adds them back, and waits until the map and the list show it. */
async function switchTo(page: Page, port: number, next: State, count: number): Promise<void> {
  const bit = next === "full" ? getBrand("ember").bit : 0;
  await sql(port, { query: "update profile set shared_on = ? where id > 1", values: [bit] });
  const others = next === "full" ? count - 1 : 0;
  await page.waitForFunction(
    ({ others }) => {
      const { benchPolls } = window as unknown as { benchPolls: Map<number, () => void> };
      const markers = document.querySelectorAll("[data-member]").length;
      const isUpdated = document.querySelectorAll("aside li").length === others && markers > 0 === others > 0;
      const isDrawn = [...document.querySelectorAll<HTMLImageElement>("[data-member] img")].every(
        (img) => img.complete,
      );
      if (!isUpdated) for (const poll of benchPolls.values()) poll();
      return isUpdated && isDrawn;
    },
    { others },
    { polling: 250 },
  );
}

/** Drags the map, one step per frame, and returns the milliseconds between frames. */
function pan(page: Page): Promise<number[]> {
  return page.evaluate(async (frames) => {
    const canvas = document.querySelector("canvas.maplibregl-canvas");
    if (!canvas) throw new Error("there is no map");
    const mouse = (type: string, x: number, y: number, target: EventTarget) =>
      target.dispatchEvent(
        new MouseEvent(type, { bubbles: true, clientX: x, clientY: y, button: 0, buttons: type === "mouseup" ? 0 : 1 }),
      );
    const next = () => new Promise<number>((resolve) => requestAnimationFrame(resolve));
    let [x, y] = [900, 450];
    mouse("mousedown", x, y, canvas);
    const times: number[] = [];
    let last = await next();
    for (let frame = 0; frame < frames; frame += 1) {
      // There and back, so that each round ends where it started.
      const direction = frame < frames / 2 ? 1 : -1;
      x += direction * 5;
      y += direction * 3;
      mouse("mousemove", x, y, document);
      const at = await next();
      times.push(at - last);
      last = at;
    }
    mouse("mouseup", x, y, document);
    return times;
  }, FRAMES);
}

async function sql(port: number, body: unknown): Promise<void> {
  const response = await fetch(`http://localhost:${port}/dev/sql`, { method: "POST", body: JSON.stringify(body) });
  if (!response.ok) throw new Error(await response.text());
}

/** Returns a function that reads the CPU time of all browser processes so far, in milliseconds. */
async function cpuMeter(browser: Browser): Promise<() => Promise<number>> {
  const session = await browser.newBrowserCDPSession();
  return async () => {
    const { processInfo } = await session.send("SystemInfo.getProcessInfo");
    return processInfo.reduce((sum, { cpuTime }) => sum + cpuTime * 1000, 0);
  };
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
