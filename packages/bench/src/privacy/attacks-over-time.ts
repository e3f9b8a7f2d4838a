/** Attacks that watch a victim move, hide and return, with GPS noise. */
import type { Point } from "@lambda/geo/distance";
import { gridCellBounds, snapToGrid } from "@lambda/geo/grid";
import {
  type Attacks,
  fixAtHome,
  mean,
  meanSeen,
  pointOf,
  type Scene,
  seeVictim,
  WIDE_BOX_DEGREES,
} from "./observers.ts";
import { gridCenterOf, offset } from "./simulated-town.ts";

/** Browsers report as accuracy the radius that contains 95 % of fixes, in standard deviations. */
const ACCURACY = 2.45;

/**
 * Simulates a client at home with GPS noise, which reports every 20 minutes.
 *
 * @param noise standard deviation in meters on both axes
 * @param accuracy accuracy in meters, as reported by the device
 */
async function liveAtHome(
  scene: Scene,
  { reports, noise, accuracy }: { reports: number; noise: number; accuracy: number },
): Promise<void> {
  const { town, victim } = scene;
  for (let index = 0; index < reports; index += 1) {
    const fix = fixAtHome(scene, noise);
    town.advanceMinutes(20);
    await town.reportFix(victim, fix, { accuracyMeters: accuracy });
    if (index % 10 === 0) await seeVictim(scene, scene.observers[0], scene.shown, WIDE_BOX_DEGREES);
  }
}

/** The mean of the centers of the public grid's cells around all markers seen. */
const meanOfCenters = ({ seen, shown }: Scene) => mean((seen.length > 0 ? seen : [shown]).map(gridCenterOf));

export const ATTACKS_OVER_TIME: Attacks = {
  "hide and show, averaged": async (scene) => {
    const { town, victim } = scene;
    for (let iteration = 0; iteration < 8; iteration += 1) {
      const at = fixAtHome(scene, 10);
      await town.reportFix(victim, at, { hide: true });
      town.advanceMinutes(20);
      await town.reportFix(victim, at, { hide: false });
      await seeVictim(scene, scene.observers[0]);
    }
    return meanSeen(scene);
  },
  "block and undo, averaged": async (scene) => {
    const { town, victim } = scene;
    const [observer] = scene.observers;
    for (let iteration = 0; iteration < 6; iteration += 1) {
      town.block(observer, victim);
      await seeVictim(scene, observer);
      town.unblock(observer, victim);
      await seeVictim(scene, observer);
    }
    return meanSeen(scene);
  },
  "jitter of many reports, averaged": async (scene) => {
    await liveAtHome(scene, { reports: 100, noise: 15, accuracy: ACCURACY * 15 });
    return meanSeen(scene);
  },
  "corner flips of a wavering GPS": async (scene) => {
    await liveAtHome(scene, { reports: 100, noise: 60, accuracy: ACCURACY * 60 });
    return meanOfCenters(scene);
  },
  "corner flips of a GPS too sure of itself": async (scene) => {
    await liveAtHome(scene, { reports: 100, noise: 60, accuracy: 20 });
    return meanOfCenters(scene);
  },
  "timing of a walk home": async (scene) => {
    const { town, victim, shown } = scene;
    const home = town.raw.get(victim)!;
    const sightings: { point: Point; minutes: number }[] = [];
    // The victim walks home from 3 km east at 100 m per minute; the attacker looks every minute for an hour.
    for (let minutes = 0; minutes < 60; minutes += 1) {
      const at = offset(home, Math.max(0, 3000 - 100 * minutes), 0);
      town.advanceMinutes(1);
      await town.reportFix(victim, at);
      const brief =
        (await seeVictim(scene, scene.observers[0], shown)) ??
        (await seeVictim(scene, scene.observers[0], offset(shown, 1100, 0)));
      const point = pointOf(brief, shown);
      if (brief && sightings[sightings.length - 1]?.point.lon !== point.lon) sightings.push({ point, minutes });
    }
    const last = sightings[sightings.length - 1];
    if (!last) return shown;
    // Corrects the last cell's center by how far the victim must have walked since the last publication.
    return offset(gridCenterOf(last.point), -(last.minutes % 15) * 5 + 35, 0);
  },
  "bytes and ETags after small moves": async (scene) => {
    const { town, victim } = scene;
    const versions = new Map<string, Point>();
    for (let iteration = 0; iteration < 12; iteration += 1) {
      await town.reportFix(victim, fixAtHome(scene, 20));
      versions.set(JSON.stringify(await seeVictim(scene, scene.observers[0])), scene.seen.at(-1) ?? scene.shown);
    }
    return mean([...versions.values()]);
  },
  "changes of precision, intersected": async (scene) => {
    const { town, victim, shown } = scene;
    const home = town.raw.get(victim)!;
    const box = { latMin: -90, latMax: 90, lonMin: -180, lonMax: 180 };
    for (const precision of ["street", "district", "city"] as const) {
      const at = await town.report(victim, home, "OVERRIDE", { precision });
      const seen = pointOf(await seeVictim(scene, scene.observers[0], at), shown);
      const cell = gridCellBounds(snapToGrid(seen.lat, seen.lon, precision));
      box.latMin = Math.max(box.latMin, cell.latMin);
      box.latMax = Math.min(box.latMax, cell.latMax);
      box.lonMin = Math.max(box.lonMin, cell.lonMin);
      box.lonMax = Math.min(box.lonMax, cell.lonMax);
    }
    return { lat: (box.latMin + box.latMax) / 2, lon: (box.lonMin + box.lonMax) / 2 };
  },
};
