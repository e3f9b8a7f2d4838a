import { afterEach, expect, it, vi } from "vitest";
import { fetchWithDeadline } from "../api/fetch-with-deadline.ts";
import { isOnline, watchOnline } from "./online.ts";

afterEach(() => vi.unstubAllGlobals());

it("disbelieves a browser that says offline once a call got an answer, until one gets none or it says so anew", async () => {
  const events = new EventTarget();
  for (const name of ["addEventListener", "removeEventListener"] as const)
    vi.stubGlobal(name, events[name].bind(events));
  vi.stubGlobal("navigator", { onLine: false });
  const seen: boolean[] = [];
  const stop = watchOnline(() => seen.push(isOnline()));
  expect(isOnline()).toBe(false);
  const call = async (answer: Promise<Response>) => {
    vi.stubGlobal("fetch", () => answer);
    await fetchWithDeadline("/trpc/x").catch(() => undefined);
  };
  await call(Promise.resolve(new Response()));
  await call(Promise.reject(new TypeError("Failed to fetch")));
  await call(Promise.resolve(Response.json({})));
  events.dispatchEvent(new Event("offline"));
  expect(seen).toEqual([true, false, true, false]);
  stop();
});
