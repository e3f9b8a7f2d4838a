/** Attacks that watch a victim move, hide, waver and come back. */
import type { Point } from "@lambda/geo/distance";
import { cellBounds, snap } from "@lambda/geo/grid";
import { type Attack, look, meanSeen, pointOf, type Scene, WIDE_BOX } from "./observers.ts";
import { centreOfCell, offset } from "./simulated-town.ts";

/** The radius that holds 95 % of fixes scattered by a standard deviation of 1 on both axes: what browsers call accuracy. */
const ACCURACY = 2.45;

/**
 * A client at home with a wavering GPS: reports every 20 minutes, by the rule that devices run.
 *
 * @param noise metres of standard deviation on both axes
 * @param accuracy metres by which the device says it may be off
 */
async function liveAtHome(
  scene: Scene,
  { reports, noise, accuracy }: { reports: number; noise: number; accuracy: number },
  seen: (point: Point) => void,
): Promise<void> {
  const { town, victim } = scene;
  const home = town.raw.get(victim)!;
  for (let index = 0; index < reports; index += 1) {
    const fix = offset(home, town.random.gaussian() * noise, town.random.gaussian() * noise);
    town.pass(20);
    await town.reportFix(victim, fix, { accuracyMeters: accuracy });
    if (index % 10 === 0) {
      const brief = await look(scene, scene.observers[0], scene.shown, WIDE_BOX);
      if (brief) seen(pointOf(brief, scene.shown));
    }
  }
}

export const ATTACKS_OVER_TIME: readonly Attack[] = [
  {
    name: "hide and show, averaged",
    guess: async (scene) => {
      const { town, victim } = scene;
      const home = town.raw.get(victim)!;
      const seen: Point[] = [];
      for (let turn = 0; turn < 8; turn += 1) {
        const at = offset(home, town.random.gaussian() * 10, town.random.gaussian() * 10);
        await town.reportFix(victim, at, { hide: true });
        town.pass(20);
        await town.reportFix(victim, at, { hide: false });
        seen.push(pointOf(await look(scene, scene.observers[0]), scene.shown));
      }
      return meanSeen(scene, seen);
    },
  },
  {
    name: "block and undo, averaged",
    guess: async (scene) => {
      const { town, victim } = scene;
      const [observer] = scene.observers;
      const seen: Point[] = [];
      for (let turn = 0; turn < 6; turn += 1) {
        town.block(observer, victim);
        const during = await look(scene, observer);
        if (during) seen.push(pointOf(during, scene.shown));
        town.unblock(observer, victim);
        seen.push(pointOf(await look(scene, observer), scene.shown));
      }
      return meanSeen(scene, seen);
    },
  },
  {
    name: "jitter of many reports, averaged",
    guess: async (scene) => {
      const seen: Point[] = [];
      await liveAtHome(scene, { reports: 100, noise: 15, accuracy: ACCURACY * 15 }, (point) => seen.push(point));
      return meanSeen(scene, seen);
    },
  },
  {
    name: "corner flips of a wavering GPS",
    guess: async (scene) => {
      const seen: Point[] = [];
      await liveAtHome(scene, { reports: 100, noise: 60, accuracy: ACCURACY * 60 }, (point) =>
        seen.push(centreOfCell(point)),
      );
      return meanSeen(scene, seen);
    },
  },
  {
    name: "corner flips of a GPS too sure of itself",
    guess: async (scene) => {
      const seen: Point[] = [];
      await liveAtHome(scene, { reports: 100, noise: 60, accuracy: 20 }, (point) => seen.push(centreOfCell(point)));
      return meanSeen(scene, seen);
    },
  },
  {
    name: "timing of a walk home",
    guess: async (scene) => {
      const { town, victim, shown } = scene;
      const home = town.raw.get(victim)!;
      const sightings: { point: Point; minutes: number }[] = [];
      // The victim comes from 3 km east at 100 m a minute; the attacker looks every minute until half an hour after.
      for (let minutes = 0; minutes < 60; minutes += 1) {
        const at = offset(home, Math.max(0, 3000 - 100 * minutes), 0);
        town.pass(1);
        await town.reportFix(victim, at);
        const brief =
          (await look(scene, scene.observers[0], shown)) ??
          (await look(scene, scene.observers[0], offset(shown, 1100, 0)));
        const point = pointOf(brief, shown);
        if (brief && sightings[sightings.length - 1]?.point.lon !== point.lon) sightings.push({ point, minutes });
      }
      const last = sightings[sightings.length - 1];
      if (!last) return shown;
      // The victim walked on for what is left of the first cell: half of it, as far as timing can say.
      return offset(centreOfCell(last.point), -(last.minutes % 15) * 5 + 35, 0);
    },
  },
  {
    name: "bytes and ETags after small moves",
    guess: async (scene) => {
      const { town, victim } = scene;
      const home = town.raw.get(victim)!;
      const seen: Point[] = [];
      let last = "";
      for (let turn = 0; turn < 12; turn += 1) {
        const at = offset(home, town.random.gaussian() * 20, town.random.gaussian() * 20);
        await town.reportFix(victim, at);
        const brief = await look(scene, scene.observers[0]);
        const bytes = JSON.stringify(brief);
        if (bytes !== last && brief) seen.push(pointOf(brief, scene.shown));
        last = bytes;
      }
      return meanSeen(scene, seen);
    },
  },
  {
    name: "changes of precision, intersected",
    guess: async (scene) => {
      const { town, victim, shown } = scene;
      const home = town.raw.get(victim)!;
      const box = { latMin: -90, latMax: 90, lonMin: -180, lonMax: 180 };
      for (const precision of ["street", "district", "city"] as const) {
        const at = await town.report(victim, home, "OVERRIDE", { precision });
        const seen = pointOf(await look(scene, scene.observers[0], at), shown);
        const cell = cellBounds(snap(seen.lat, seen.lon, precision));
        box.latMin = Math.max(box.latMin, cell.latMin);
        box.latMax = Math.min(box.latMax, cell.latMax);
        box.lonMin = Math.max(box.lonMin, cell.lonMin);
        box.lonMax = Math.min(box.lonMax, cell.lonMax);
      }
      return { lat: (box.latMin + box.latMax) / 2, lon: (box.lonMin + box.lonMax) / 2 };
    },
  },
];
