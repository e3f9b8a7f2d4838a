/**
 * Tests that `npm test` leaves out because they try no behavior of the product: benches, simulations, the demo's
 * seed and base map. They, and the runs of message tests with a single database, are part of `npm
 * run test:nightly`, which sets NIGHTLY.
 */
export const IS_NIGHTLY = process.env.NIGHTLY === "1";
/** The operator's first day, commands and upgrades, which take minutes: part of CI, and of `npm test -- operation`. */
const IS_OPERATION = process.env.OPERATION === "1";

/** `npm test -- --slow`: browser tests on a slow, unordered line and an eight times slower processor. */
export const IS_SLOW = process.env.SLOW === "1";
/** How much longer tests may take then. */
export const PATIENCE = IS_SLOW ? 6 : 1;

/** What this run leaves out. */
export const LEFT_OUT = [
  ...(IS_NIGHTLY ? [] : ["**/*.nightly.test.ts"]),
  ...(IS_OPERATION ? [] : ["**/*.operation.test.ts"]),
];

/** What `npm test` leaves to `npm test -- --all`, which CI runs: the same screens and calls under further conditions, in minutes. */
export const TAGS = [{ name: "slow" }];
