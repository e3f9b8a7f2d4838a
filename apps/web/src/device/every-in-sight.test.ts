import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { everyInSight } from "./every-in-sight.ts";

class Page extends EventTarget {
  visibilityState = "visible";

  show(visibilityState: "visible" | "hidden"): void {
    this.visibilityState = visibilityState;
    this.dispatchEvent(new Event("visibilitychange"));
  }
}

let page: Page;
beforeEach(() => {
  vi.useFakeTimers();
  page = new Page();
  vi.stubGlobal("document", page);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it("asks nothing in a hidden tab, and once when the tab comes back", () => {
  const act = vi.fn();
  const stop = everyInSight(1000, act);
  vi.advanceTimersByTime(2000);
  expect(act).toHaveBeenCalledTimes(2);
  page.show("hidden");
  vi.advanceTimersByTime(5000);
  expect(act).toHaveBeenCalledTimes(2);
  page.show("visible");
  expect(act).toHaveBeenCalledTimes(3);
  page.show("hidden");
  page.show("visible");
  expect(act, "nothing fell due meanwhile").toHaveBeenCalledTimes(3);
  page.show("hidden");
  vi.advanceTimersByTime(1000);
  stop();
  page.show("visible");
  vi.advanceTimersByTime(5000);
  expect(act).toHaveBeenCalledTimes(3);
});
