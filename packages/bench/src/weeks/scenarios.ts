/** How a member lives and what is watched of it. */
import type { Precision } from "@lambda/geo/grid";

/** One life serves several watchers. */
export interface Life {
  readonly name: string;
  /** Meters of standard deviation of a fix, on both axes. */
  readonly noise: number;
  readonly ways: "random" | "same" | "closed";
  /** Nights after which the member logs in anew and the device knows nothing any more; 0: never. */
  readonly freshEvery: number;
  /** With two of them each night uses the other one. */
  readonly devices: 1 | 2;
  /** The first nights are reported at the coarser precision. */
  readonly coarseNights: number;
  /** The number of nights on which the member changes to the coarser precision and back. */
  readonly changeEvery: number;
  readonly accounts: 1 | 2;
}

export interface Watch {
  readonly name: string;
  readonly life: Life;
  readonly every: 1 | 3;
  /** Whether the way home is watched, or only the marker late at night. */
  readonly ways: boolean;
  /** How many of the places the attacker knows. */
  readonly known: 0 | 1 | 3;
  /** Whether the limits are those of an attacker who knows nothing from elsewhere. */
  readonly strict: boolean;
}

const LIFE: Life = {
  ...{ name: "random ways", noise: 10, ways: "random", freshEvery: 0, devices: 1 },
  ...{ coarseNights: 0, changeEvery: 0, accounts: 1 },
};

const watch = (name: string, life: Life, more: Partial<Watch> = {}): Watch => ({
  ...{ name, life, every: 1, ways: true, known: 0, strict: true },
  ...more,
});

/** 15 m under the sky, 40 m in a street, 60 m among houses. */
const noisy = (noise: number) => watch(`GPS noise of ${noise} m`, { ...LIFE, name: `noise ${noise}`, noise });

export const WATCHES: readonly Watch[] = [
  watch("all cells", LIFE),
  watch("final cell only", LIFE, { ways: false }),
  watch("every third night", LIFE, { every: 3 }),
  watch("one place known", LIFE, { known: 1 }),
  watch("three places known", LIFE, { known: 3, strict: false }),
  watch("app closed on the way", { ...LIFE, name: "closed", ways: "closed" }),
  watch("same way each night", { ...LIFE, name: "same way", ways: "same" }),
  watch("fresh login each third day", { ...LIFE, name: "fresh", freshEvery: 3 }),
  watch("two devices in turn", { ...LIFE, name: "two devices", devices: 2 }),
  noisy(15),
  noisy(40),
  noisy(60),
  watch("precision changed and back", { ...LIFE, name: "changed", changeEvery: 5 }),
  watch("stale coarse cell, then finer", { ...LIFE, name: "stale", coarseNights: 5 }),
  watch("a second account", { ...LIFE, name: "accounts", accounts: 2 }, { strict: false }),
];

/** What a member goes to to be less precise; nothing is coarser than a city. */
export const COARSER: Partial<Record<Precision, Precision>> = { street: "district", district: "city" };
