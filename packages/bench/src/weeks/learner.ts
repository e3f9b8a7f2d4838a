/**
 * An attacker who knows the rule but not the member's displacement. It simulates the same weeks with members whose displacement is known,
 * and learns where in their cells those live who look like the victim.
 */
import { type Belief, beliefOf } from "./posterior.ts";
import { AXES, type Axis, type Sighted } from "./sightings.ts";
import type { Spot } from "./world.ts";

interface Example {
  readonly traits: readonly number[];
  readonly offset: number;
}

/** Number of most similar members to learn from, plus ties. */
const SIMILAR = 80;

export class Learner {
  readonly #homes: Record<Axis, Example[]> = { x: [], y: [] };
  readonly #places: Record<Axis, number[]> = { x: [], y: [] };
  readonly #homeBeliefs = new Map<string, Belief>();
  #placeBeliefs: Record<Axis, Belief> | undefined;

  /** @param center of the member's own cell that the marker represents */
  addHome({ traits }: Sighted, home: Spot, center: Spot, size: number): void {
    for (const axis of AXES)
      this.#homes[axis].push({ traits: traits[axis], offset: (home[axis] - center[axis]) / size });
  }

  addPlace(place: Spot, center: Spot, size: number): void {
    for (const axis of AXES) this.#places[axis].push((place[axis] - center[axis]) / size);
  }

  /** Belief about where in their cell a member with these traits lives. */
  home({ traits }: Sighted, axis: Axis): Belief {
    const target = traits[axis];
    const name = `${axis} ${target.join()}`;
    let belief = this.#homeBeliefs.get(name);
    if (!belief) {
      const ranked = this.#homes[axis].map((example) => ({
        distance: example.traits.reduce((sum, trait, index) => sum + (trait - target[index]!) ** 2, 0),
        offset: example.offset,
      }));
      ranked.sort((a, b) => a.distance - b.distance);
      const reach = ranked[SIMILAR - 1]?.distance ?? Number.POSITIVE_INFINITY;
      belief = beliefOf(ranked.filter(({ distance }) => distance <= reach).map(({ offset }) => offset));
      this.#homeBeliefs.set(name, belief);
    }
    return belief;
  }

  /** Belief about where in its cell a known place is. */
  place(axis: Axis): Belief {
    this.#placeBeliefs ??= { x: beliefOf(this.#places.x), y: beliefOf(this.#places.y) };
    return this.#placeBeliefs[axis];
  }
}
