import { MEET_POSITION_INTERVAL_MS } from "@lambda/contract/limits";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { requestGpsPosition } from "../features/places/positions/gps.ts";
import { repeatWhileVisible } from "./repeat-while-visible.ts";

class Page extends EventTarget {
  visibilityState = "visible";
}

let page: Page;
/** When the device was asked, in seconds since the start. */
let asked: number[];
/** How often the device fails before it knows where it is. */
let failures: number;
beforeEach(() => {
  vi.useFakeTimers();
  page = new Page();
  asked = [];
  const startedAt = performance.now();
  const getCurrentPosition: Geolocation["getCurrentPosition"] = (onFix, onError) => {
    asked.push(Math.round((performance.now() - startedAt) / 1000));
    failures -= 1;
    if (failures >= 0) onError?.({ code: 2 } as GeolocationPositionError);
    else onFix({ coords: { latitude: 52.5, longitude: 13.4 } } as GeolocationPosition);
  };
  const browser = new EventTarget();
  vi.stubGlobal("addEventListener", browser.addEventListener.bind(browser));
  vi.stubGlobal("removeEventListener", browser.removeEventListener.bind(browser));
  vi.stubGlobal("dispatchEvent", browser.dispatchEvent.bind(browser));
  vi.stubGlobal("document", page);
  vi.stubGlobal("navigator", { geolocation: { getCurrentPosition } });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const sent = vi.fn();
const start = () => {
  sent.mockClear();
  return repeatWhileVisible(MEET_POSITION_INTERVAL_MS, async (signal) => sent(await requestGpsPosition(signal)));
};

it("asks again after a growing pause until the device knows where it is, and then every five minutes", async () => {
  failures = 3;
  const stop = start();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked).toEqual([0, 5, 15, 35]);
  expect(sent).toHaveBeenCalledExactlyOnceWith({ lat: 52.5, lon: 13.4 });
  await vi.advanceTimersByTimeAsync(2 * MEET_POSITION_INTERVAL_MS);
  expect(asked).toEqual([0, 5, 15, 35, 335, 635]);
  // A failure between two successes starts with the short pause again.
  failures = 1;
  await vi.advanceTimersByTimeAsync(MEET_POSITION_INTERVAL_MS);
  expect(asked).toEqual([0, 5, 15, 35, 335, 635, 935, 940]);
  stop();
});

it("never pauses for longer than five minutes", async () => {
  failures = Number.POSITIVE_INFINITY;
  const stop = start();
  await vi.advanceTimersByTimeAsync(10 * MEET_POSITION_INTERVAL_MS);
  const pauses = asked.slice(1).map((at, index) => at - (asked[index] ?? 0));
  expect(pauses.slice(0, 8)).toEqual([5, 10, 20, 40, 80, 160, 300, 300]);
  stop();
});

it("stops when the member switches it off, and sends nothing that was found meanwhile", async () => {
  failures = 1;
  start()();
  await vi.advanceTimersByTimeAsync(MEET_POSITION_INTERVAL_MS);
  expect(asked).toEqual([0]);
  failures = 0;
  start()();
  await vi.advanceTimersByTimeAsync(MEET_POSITION_INTERVAL_MS);
  expect(sent).not.toHaveBeenCalled();
});

it("waits while the page is hidden, and asks once it is visible", async () => {
  failures = 1;
  const stop = start();
  await vi.advanceTimersByTimeAsync(1000);
  page.visibilityState = "hidden";
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked).toEqual([0]);
  page.visibilityState = "visible";
  page.dispatchEvent(new Event("visibilitychange"));
  await vi.advanceTimersByTimeAsync(1000);
  expect(asked).toEqual([0, 61]);
  stop();
});

it("asks at once when the browser finds a network, and only then if the last time it failed", async () => {
  failures = 5;
  const stop = start();
  await vi.advanceTimersByTimeAsync(36_000);
  expect(asked).toEqual([0, 5, 15, 35]);
  failures = 0;
  dispatchEvent(new Event("online"));
  await vi.advanceTimersByTimeAsync(1000);
  dispatchEvent(new Event("online"));
  await vi.advanceTimersByTimeAsync(1000);
  expect(asked).toEqual([0, 5, 15, 35, 36]);
  stop();
});
