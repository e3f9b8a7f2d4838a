/** Guesses a member's home from thirty nights of observations, by several methods of which the best counts. */
import type { Precision } from "@lambda/geo/grid";
import { displacementFromCoarse } from "./coarse.ts";
import { intersect } from "./intersection.ts";
import type { Learner } from "./learner.ts";
import type { NightOdds } from "./night-odds.ts";
import type { Night } from "./nights.ts";
import { type Belief, CERTAIN, combine, difference, likeliest, meanOf, medianOf, UNIFORM } from "./posterior.ts";
import type { Watch } from "./scenarios.ts";
import { type Axis, type Sighted, sightPlace } from "./sightings.ts";
import { cellMeters, type Spot, type World } from "./world.ts";

export interface View {
  readonly nights: readonly Night[];
  readonly sighted: Sighted;
}

export interface Attacker {
  readonly watch: Watch;
  readonly precision: Precision;
  readonly learner: Learner;
  readonly odds: NightOdds;
  readonly publicGrid: boolean;
  /** How far outside a cell, in meters, the rule still shows it. */
  readonly reachMeters: number;
}

/** @param views one per account of the member */
export function guessesOf(attacker: Attacker, views: readonly View[], world: Pick<World, "places">): Spot[] {
  const { watch, precision, reachMeters } = attacker;
  const size = cellMeters(precision);
  const { nights, sighted } = views[0]!;
  const { marker } = sighted;
  const mean = (spots: readonly Spot[]) => ({
    x: spots.reduce((sum, { x }) => sum + x, 0) / spots.length,
    y: spots.reduce((sum, { y }) => sum + y, 0) / spots.length,
  });
  const beliefs = { x: believe(attacker, views, world, "x"), y: believe(attacker, views, world, "y") };
  const by = (pick: (belief: Belief) => number) => ({
    x: marker.x + pick(beliefs.x) * size,
    y: marker.y + pick(beliefs.y) * size,
  });
  const displaced = attacker.publicGrid
    ? { x: 0, y: 0 }
    : {
        x: meanOf(displacement(attacker, views[0]!, world, "x")),
        y: meanOf(displacement(attacker, views[0]!, world, "y")),
      };
  const likely = attacker.odds.home(nights, watch, marker, size);
  const finals = nights.map(({ atHome }) => atHome.at(-1)!);
  return [
    marker,
    mean(nights.flatMap(({ atHome }) => atHome)),
    mean(views.map((view) => view.sighted.marker)),
    mean(finals),
    { x: marker.x + (likely.x - displaced.x) * size, y: marker.y + (likely.y - displaced.y) * size },
    intersect(nights, watch, marker, size, reachMeters / size),
    ...[by(meanOf), by(medianOf), by((belief) => likeliest(belief, 0.36)), by((belief) => likeliest(belief, 0.18))],
  ];
}

/** Belief about the home's offset from the marker along an axis, in cells. */
function believe(attacker: Attacker, views: readonly View[], world: Pick<World, "places">, axis: Axis): Belief {
  const { learner, publicGrid, precision } = attacker;
  const size = cellMeters(precision);
  const marker = views[0]!.sighted.marker;
  const each = views.map((view) => {
    const displaced = publicGrid ? CERTAIN : displacement(attacker, view, world, axis);
    return difference(learner.home(view.sighted, axis), displaced);
  });
  return each.reduce((belief, other, index) => {
    return combine(belief, other, (views[index]!.sighted.marker[axis] - marker[axis]) / size);
  });
}

/** Belief about the marker's offset from its cell's center, which is secret but narrowed down by each known place. */
function displacement(
  attacker: Attacker,
  { nights, sighted }: View,
  { places }: Pick<World, "places">,
  axis: Axis,
): Belief {
  const { watch, precision, learner } = attacker;
  const size = cellMeters(precision);
  let belief = UNIFORM;
  for (let place = 0; place < watch.known; place += 1) {
    const seen = sightPlace(nights, place);
    if (seen) belief = combine(belief, learner.place(axis), (seen[axis] - places[place]![axis]) / size);
  }
  const coarse = displacementFromCoarse(sighted.marker, nights, precision, axis);
  return coarse ? combine(belief, coarse) : belief;
}
