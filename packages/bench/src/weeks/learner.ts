/**
 * An attacker who knows the rule but not the member's displacement: the attacker lives the same weeks with simulated members, whose
 * displacement is known, and asks where in their cells those lived who looked like the victim.
 */
import { type Belief, beliefOf } from "./posterior.ts";
import { AXES, type Axis, type Sighted } from "./sightings.ts";
import type { Spot } from "./world.ts";

interface Example {
  readonly traits: readonly number[];
  readonly offset: number;
}

/** So many members that look most like the victim, and all that look as much like it. */
const LIKE = 80;

export class Learner {
  readonly #homes: Record<Axis, Example[]> = { x: [], y: [] };
  readonly #places: Record<Axis, number[]> = { x: [], y: [] };
  readonly #homeBeliefs = new Map<string, Belief>();
  #placeBeliefs: Record<Axis, Belief> | undefined;

  /** @param centre of the member's own cell that the marker stands for */
  addHome({ traits }: Sighted, home: Spot, centre: Spot, size: number): void {
    for (const axis of AXES)
      this.#homes[axis].push({ traits: traits[axis], offset: (home[axis] - centre[axis]) / size });
  }

  addPlace(place: Spot, centre: Spot, size: number): void {
    for (const axis of AXES) this.#places[axis].push((place[axis] - centre[axis]) / size);
  }

  /** Where in its cell a member lives who looks like this. */
  home({ traits }: Sighted, axis: Axis): Belief {
    const wanted = traits[axis];
    const name = `${axis} ${wanted.join()}`;
    let belief = this.#homeBeliefs.get(name);
    if (!belief) {
      const ranked = this.#homes[axis].map((example) => ({
        far: example.traits.reduce((sum, trait, index) => sum + (trait - wanted[index]!) ** 2, 0),
        offset: example.offset,
      }));
      ranked.sort((a, b) => a.far - b.far);
      const reach = ranked[LIKE - 1]?.far ?? Number.POSITIVE_INFINITY;
      belief = beliefOf(ranked.filter(({ far }) => far <= reach).map(({ offset }) => offset));
      this.#homeBeliefs.set(name, belief);
    }
    return belief;
  }

  /** Where in its cell a place lies whose cell was seen. */
  place(axis: Axis): Belief {
    this.#placeBeliefs ??= { x: beliefOf(this.#places.x), y: beliefOf(this.#places.y) };
    return this.#placeBeliefs[axis];
  }
}
