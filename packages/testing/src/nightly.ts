/**
 * Tests that `npm test` leaves out because they try no behavior of the product: benches, simulations, the demo's
 * seed, base map and the first day. They, and the runs of message tests with a single database, are part of `npm
 * run test:nightly`, which sets NIGHTLY.
 */
export const IS_NIGHTLY = process.env.NIGHTLY === "1";
export const NIGHTLY_FILES = "**/*.nightly.test.ts";
