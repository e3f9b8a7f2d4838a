/** Guesses a member's home from thirty nights of observations, by several methods of which the best counts. */
import type { Precision } from "@lambda/geo/grid";
import { displacementFromCoarse } from "./coarse.ts";
import type { Learner } from "./learner.ts";
import type { Night } from "./nights.ts";
import { type Belief, CERTAIN, combine, difference, likeliest, meanOf, medianOf, UNIFORM } from "./posterior.ts";
import type { Watch } from "./scenarios.ts";
import { AXES, type Axis, type Sighted, sightPlace } from "./sightings.ts";
import { cellMeters, type Spot, type World } from "./world.ts";

export interface View {
  readonly nights: readonly Night[];
  readonly sighted: Sighted;
}

export interface Attacker {
  readonly watch: Watch;
  readonly precision: Precision;
  readonly learner: Learner;
  readonly publicGrid: boolean;
}

/** @param views one per account of the member */
export function guessesOf(attacker: Attacker, views: readonly View[], world: Pick<World, "places">): Spot[] {
  const size = cellMeters(attacker.precision);
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
  return [
    marker,
    mean(nights.flatMap(({ atHome }) => atHome)),
    mean(views.map((view) => view.sighted.marker)),
    ...[by(meanOf), by(medianOf), by((belief) => likeliest(belief, 0.36)), by((belief) => likeliest(belief, 0.18))],
  ];
}

/** Belief about the home's offset from the first account's marker along an axis, in cells. */
function believe(attacker: Attacker, views: readonly View[], world: Pick<World, "places">, axis: Axis): Belief {
  const { learner, publicGrid, precision, watch } = attacker;
  const size = cellMeters(precision);
  const [first, ...others] = views as [View, ...View[]];
  const shiftOf = (view: View) => (view.sighted.marker[axis] - first.sighted.marker[axis]) / size;
  const beliefFrom = (view: View, displaced: Belief) =>
    difference(learner.home(view.sighted, axis), publicGrid ? CERTAIN : displaced);
  const displaced = displacement(attacker, first, world, axis);
  if (watch.life.oneMailbox) {
    // All accounts have the same cells: their markers narrow down where the cell is, and no further.
    const sameCell = others.filter((view) => AXES.every((each) => isWithinCell(view, first, each, size)));
    return beliefFrom(
      first,
      sameCell.reduce((belief, view) => combine(belief, UNIFORM, -shiftOf(view)), displaced),
    );
  }
  return others.reduce(
    (belief, view) => combine(belief, beliefFrom(view, displacement(attacker, view, world, axis)), shiftOf(view)),
    beliefFrom(first, displaced),
  );
}

const isWithinCell = (one: View, other: View, axis: Axis, size: number) =>
  Math.abs(one.sighted.marker[axis] - other.sighted.marker[axis]) < size;

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
