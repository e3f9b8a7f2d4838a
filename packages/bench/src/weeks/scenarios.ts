/** Scenarios: how a member lives, and what an attacker watches. */
import type { Precision } from "@lambda/geo/grid";

/** Several watchers can share one simulated life. */
export interface Life {
  readonly name: string;
  /** Standard deviation of fixes in meters, on both axes. */
  readonly noise: number;
  readonly ways: "random" | "same" | "closed";
  /** Interval in nights of new logins, which clear the device's data; 0: never. */
  readonly freshEvery: number;
  /** With two devices, nights alternate between them. */
  readonly devices: 1 | 2;
  /** Number of nights at the start with a coarser precision. */
  readonly coarseNights: number;
  /** Interval in nights at which the member switches to the coarser precision and back; 0: never. */
  readonly changeEvery: number;
  readonly accounts: number;
  /** Whether the accounts have one mailbox, and so the same cells. */
  readonly oneMailbox: boolean;
  /** Whether the accounts are used a night each, or all of them every night. */
  readonly inTurn: boolean;
}

export interface Watch {
  readonly name: string;
  readonly life: Life;
  readonly every: 1 | 3;
  /** Whether the way home is watched, or only the last marker of the night. */
  readonly ways: boolean;
  /** How many of the member's places the attacker knows. */
  readonly known: 0 | 1 | 3;
  /** Strict for an attacker without prior knowledge; none where no rule can prevent that more is revealed. */
  readonly limits: "strict" | "loose" | "none";
}

export const ACCOUNTS_MAX = 5;

const LIFE: Life = {
  name: "random ways",
  noise: 10,
  ways: "random",
  freshEvery: 0,
  devices: 1,
  coarseNights: 0,
  changeEvery: 0,
  accounts: 1,
  oneMailbox: false,
  inTurn: false,
};

const watch = (name: string, life: Life, overrides: Partial<Watch> = {}): Watch => ({
  name,
  life,
  every: 1,
  ways: true,
  known: 0,
  limits: "strict",
  ...overrides,
});

/** 15 m under open sky, 40 m in a street, 60 m among buildings. */
const noisy = (noise: number) => watch(`GPS noise of ${noise} m`, { ...LIFE, name: `noise ${noise}`, noise });

export const WATCHES: readonly Watch[] = [
  watch("all cells", LIFE),
  watch("final cell only", LIFE, { ways: false }),
  watch("every third night", LIFE, { every: 3 }),
  watch("one place known", LIFE, { known: 1 }),
  watch("three places known", LIFE, { known: 3, limits: "loose" }),
  watch("app closed on the way", { ...LIFE, name: "closed", ways: "closed" }),
  watch("same way each night", { ...LIFE, name: "same way", ways: "same" }),
  watch("fresh login each third day", { ...LIFE, name: "fresh", freshEvery: 3 }),
  watch("two devices in turn", { ...LIFE, name: "two devices", devices: 2 }),
  noisy(15),
  noisy(40),
  noisy(60),
  watch("precision changed and back", { ...LIFE, name: "changed", changeEvery: 5 }),
  watch("stale coarse cell, then finer", { ...LIFE, name: "stale", coarseNights: 5 }),
  watch("a second account", { ...LIFE, name: "accounts", accounts: 2 }, { limits: "loose" }),
  ...[2, 5].flatMap((accounts) =>
    [true, false].map((oneMailbox) => {
      const name = `${accounts} accounts in turn, ${oneMailbox ? "one mailbox" : "other mailboxes"}`;
      const limits = accounts === 2 ? "loose" : "none";
      return watch(name, { ...LIFE, name, accounts, oneMailbox, inTurn: true }, { limits });
    }),
  ),
];

/** The next coarser precision. */
export const COARSER: Partial<Record<Precision, Precision>> = { street: "district", district: "city" };
