import { SOCKET_RETRY_MAX_MS } from "@lambda/contract/limits";
import { seededRandom } from "@lambda/testing/random";
import { expect, test } from "vitest";
import { retryDelay } from "./retry-delay.ts";

const PAGES = 10_000;

/** Simulates pages that all lost their connection at once: how many reconnect in the busiest second, and when the last one does. */
function simulate(isMassReconnect: boolean, downMs: number): { busiest: number; last: number } {
  const { next: random } = seededRandom(15);
  const arrivals = new Map<number, number>();
  let last = 0;
  for (let page = 0; page < PAGES; page += 1) {
    let at = 0;
    for (let failures = 0; ; failures += 1) {
      at += retryDelay({ failures, isMassReconnect, random: random() });
      arrivals.set(Math.floor(at / 1000), (arrivals.get(Math.floor(at / 1000)) ?? 0) + 1);
      if (at >= downMs) break;
    }
    last = Math.max(last, at);
  }
  return { busiest: Math.max(...arrivals.values()), last };
}

test("spreads 10,000 reconnecting pages over 30 seconds after a deployment", () => {
  const deployed = simulate(true, 0);
  const before = simulate(false, 0);
  console.log(`10,000 pages after a deployment: ${deployed.busiest} in the busiest second, before ${before.busiest}`);
  expect(deployed.busiest).toBeLessThan(450);
  expect(deployed.last).toBeGreaterThan(0.99 * SOCKET_RETRY_MAX_MS);
  expect(deployed.last).toBeLessThanOrEqual(SOCKET_RETRY_MAX_MS);
  expect(before.busiest).toBe(PAGES);
});

test("spreads the pages while the server is down for longer", () => {
  expect(simulate(true, 20_000).busiest).toBeLessThan(1_000);
});

test("lets a single page reconnect quickly", () => {
  expect(retryDelay({ failures: 0, isMassReconnect: false, random: 1 })).toBe(500);
});
