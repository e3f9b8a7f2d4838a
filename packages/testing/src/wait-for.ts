import { vi } from "vitest";

/**
 * Repeats an assertion until it holds. The time is enough for work after a response on a machine with two busy cores.
 */
export const waitFor = (assertion: () => Promise<unknown>) => vi.waitFor(assertion, { timeout: 20_000 });
