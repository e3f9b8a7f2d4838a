import { afterEach, expect, it, vi } from "vitest";

afterEach(() => vi.unstubAllGlobals());

it("disbelieves a browser that says offline once a call got an answer, until one gets none or it says so anew", async () => {
  const events = new EventTarget();
  vi.stubGlobal("window", events);
  vi.stubGlobal("navigator", { onLine: false });
  const { fetchWithDeadline } = await import("../api/fetch-with-deadline.ts");
  const { isOnline, useOnline } = await import("./online.ts");
  const seen: boolean[] = [];
  useOnline.subscribe((isNow) => seen.push(isNow));
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
});
