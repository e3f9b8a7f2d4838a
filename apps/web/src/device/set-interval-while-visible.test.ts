import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { setIntervalWhileVisible } from "./set-interval-while-visible.ts";

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

it("pauses in a hidden tab, and calls once when the tab becomes visible if a call was due", () => {
  const act = vi.fn();
  const stop = setIntervalWhileVisible(1000, act);
  vi.advanceTimersByTime(2000);
  expect(act).toHaveBeenCalledTimes(2);
  page.show("hidden");
  vi.advanceTimersByTime(5000);
  expect(act).toHaveBeenCalledTimes(2);
  page.show("visible");
  expect(act).toHaveBeenCalledTimes(3);
  page.show("hidden");
  page.show("visible");
  expect(act, "no call was due").toHaveBeenCalledTimes(3);
  page.show("hidden");
  vi.advanceTimersByTime(1000);
  stop();
  page.show("visible");
  vi.advanceTimersByTime(5000);
  expect(act).toHaveBeenCalledTimes(3);
});
