import { vi } from "vitest";

/** Waits for what goes on after an answer, as long as two busy cores may take. */
export const until = (holds: () => Promise<unknown>) => vi.waitFor(holds, { timeout: 20_000 });
