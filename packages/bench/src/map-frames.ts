/**
 * What a frame costs while the map is panned with 800 members in sight (the viewer and 799 others), against the same map
 * with nobody on it. One page in one Chromium: the others are taken off the map and put back in turn, so that both states meet
 * the same machine, and what else it does falls on both. Frames are drawn by software and as fast as they come.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { getBrand } from "@lambda/brands";
import { MARKERS_MAX, SECTOR_REFETCH_MS } from "@lambda/contract/limits";
import { keyOfPoint } from "@lambda/geo/curve";
import type { Point } from "@lambda/geo/distance";
import { snap } from "@lambda/geo/grid";
import { DESKTOP, launchChromium } from "@lambda/testing/browser";
import { memberStatements, sessionStatement } from "@lambda/testing/members";
import { seededRandom } from "@lambda/testing/random";
import { createDatabase, freePort, startSite } from "@lambda/testing/site";
import { putBasemap } from "../../tooling/src/basemap/put.ts";
import { portrait } from "../../tooling/src/seed/portraits.ts";
import { goal, line, quantile, round, spread } from "./figures.ts";
import type { BenchOptions } from "./options.ts";

type Browser = Awaited<ReturnType<typeof launchChromium>>;
type Page = Awaited<ReturnType<Browser["newPage"]>>;
type State = "empty" | "full";

const ROUNDS_MAX = 12;
const ROUNDS_MIN = 3;
/** After this long no further round begins, so that a loaded machine gets an answer too. */
const BUDGET_MS = 130_000;
/** Frames of one pan; even, since half of them lead back. */
const FRAMES = 40;
/** The first frames of a pan fetch and draw what the last one left undone. */
const SKIPPED = 6;
const ZOOM = 11.5;
const PORTRAITS = 24;
/** Degrees around the city's middle; all of it is in sight at the zoom above. */
const SPREAD: Point = { lat: 0.07, lon: 0.1 };

export async function run({ members }: BenchOptions): Promise<void> {
  const count = Math.min(MARKERS_MAX, members ?? MARKERS_MAX);
  const state = mkdtempSync(join(tmpdir(), "bench-map-"));
  createDatabase(state);
  await putBasemap(state);
  const site = await startSite({ port: await freePort(), state });
  // Without a fixed rate a frame takes what it costs, not the next multiple of a sixtieth of a second.
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
    line("load average before", loadavg().map(round).join(" "));
    const until = Date.now() + BUDGET_MS;
    // The first round warms up.
    for (let turn = 0; turn <= ROUNDS_MAX && (turn <= ROUNDS_MIN || Date.now() < until); turn += 1) {
      const found = { empty: 0, full: 0 };
      // Who begins takes turns too: a load that grows must not fall on one of them.
      const order: readonly State[] = turn % 2 === 0 ? ["empty", "full"] : ["full", "empty"];
      for (const name of order) {
        await show(name);
        const before = await cpuTime();
        const times = (await pan(page)).slice(SKIPPED);
        found[name] = quantile(times, 0.5);
        if (turn === 0) continue;
        cpu[name].push(((await cpuTime()) - before) / FRAMES);
        frames[name].push(...times);
      }
      if (turn > 0) ratios.push(found.full / found.empty);
    }
    await show("full");
    const shown = await page.locator("[data-member]").count();
    const listed = await page.getByRole("complementary").getByRole("listitem").count();
    line("load average after", loadavg().map(round).join(" "));
    line("others in the list, pictures on the map", `${listed}, ${shown}`);
    line("rounds, frames of each state", `${ratios.length}, ${frames.full.length}`);
    line("frame of the empty map, ms", spread(frames.empty));
    line("frame with the members, ms", spread(frames.full));
    line("ratio by round", ratios.map(round).join(" "));
    line("processor time a frame, empty and full, ms", `${round(mean(cpu.empty))}, ${round(mean(cpu.full))}`);
    line("processor time, full to empty", String(round(mean(cpu.full) / mean(cpu.empty))));
    goal("frame with members to empty (medians)", quantile(frames.full, 0.5) / quantile(frames.empty, 0.5), 1.5);
  } finally {
    await browser.close();
    await site.stop();
    rmSync(state, { recursive: true, force: true });
  }
}

/** Members 1 to `count`; the viewer is the first. */
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
      values: [id, snap(point.lat, point.lon, "street"), keyOfPoint(point), now, now + 86_400_000],
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
      // What the page asks anew every 15 s, the bench lets it ask when the database has changed.
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
  // 24 portraits stand for everybody's pictures: what a frame costs does not depend on whose they are.
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

/** Takes the others off the site, or puts them back, and waits until the map and the list show it. */
async function switchTo(page: Page, port: number, next: State, count: number): Promise<void> {
  const bit = next === "full" ? getBrand("ember").bit : 0;
  await sql(port, { query: "update profile set shared_on = ? where id > 1", values: [bit] });
  const others = next === "full" ? count - 1 : 0;
  await page.waitForFunction(
    ({ others }) => {
      const { benchPolls } = window as unknown as { benchPolls: Map<number, () => void> };
      const markers = document.querySelectorAll("[data-member]").length;
      const there = document.querySelectorAll("aside li").length === others && markers > 0 === others > 0;
      const drawn = [...document.querySelectorAll<HTMLImageElement>("[data-member] img")].every((img) => img.complete);
      if (!there) for (const ask of benchPolls.values()) ask();
      return there && drawn;
    },
    { others },
    { polling: 250 },
  );
}

/** Drags the map about, one step a frame. Answers the milliseconds between frames. */
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
      // Out and back, so that each turn ends where it began.
      const way = frame < frames / 2 ? 1 : -1;
      x += way * 5;
      y += way * 3;
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
  const answer = await fetch(`http://localhost:${port}/dev/sql`, { method: "POST", body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(await answer.text());
}

/** Processor time of all of the browser's processes so far, in milliseconds. */
async function cpuMeter(browser: Browser): Promise<() => Promise<number>> {
  const session = await browser.newBrowserCDPSession();
  return async () => {
    const { processInfo } = await session.send("SystemInfo.getProcessInfo");
    return processInfo.reduce((sum, { cpuTime }) => sum + cpuTime * 1000, 0);
  };
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
