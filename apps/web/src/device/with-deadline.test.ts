import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { DATABASE_WAIT_MS, DeadlinePassed, POSITION_WAIT_MS, PROMPT_WAIT_MS, withDeadline } from "./with-deadline.ts";
import { withTabLock } from "./with-tab-lock.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const never = () => new Promise<never>(() => {});

it("passes on an answer, a rejection and a thrown error", async () => {
  expect(await withDeadline(DATABASE_WAIT_MS, async () => 7)).toBe(7);
  await expect(withDeadline(DATABASE_WAIT_MS, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  const broken = () => {
    throw new Error("not supported");
  };
  await expect(withDeadline(DATABASE_WAIT_MS, broken)).rejects.toThrow("not supported");
});

it("rejects when there is no answer in time, and hands a late one to onLate only", async () => {
  const answer = Promise.withResolvers<string>();
  const late: string[] = [];
  const asked = withDeadline(POSITION_WAIT_MS, () => answer.promise, { onLate: (value) => late.push(value) });
  const outcome = expect(asked).rejects.toThrow(DeadlinePassed);
  await vi.advanceTimersByTimeAsync(20_000);
  await outcome;
  answer.resolve("late");
  await vi.advanceTimersByTimeAsync(0);
  expect(late).toEqual(["late"]);
});

it("gives up when its screen is closed", async () => {
  const closing = new AbortController();
  const outcome = expect(withDeadline(PROMPT_WAIT_MS, never, { signal: closing.signal })).rejects.toThrow("closed");
  closing.abort(new Error("closed"));
  await outcome;
  const start = vi.fn(never);
  await expect(withDeadline(PROMPT_WAIT_MS, start, { signal: closing.signal })).rejects.toThrow("closed");
  expect(start).not.toHaveBeenCalled();
  expect(vi.getTimerCount()).toBe(0);
});

it("runs without the lock if no tab releases it, and once only if it is granted later", async () => {
  let grant: (() => unknown) | undefined;
  const request = (_: string, start: () => unknown) => {
    grant = start;
    return never();
  };
  vi.stubGlobal("navigator", { locks: { request } });
  const work = vi.fn(async () => "done");
  const result = withTabLock("name", work);
  await vi.advanceTimersByTimeAsync(4999);
  expect(work).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(await result).toBe("done");
  expect(await grant?.()).toBeUndefined();
  expect(work).toHaveBeenCalledTimes(1);
});

it("holds the lock until the work ends, and passes on its error", async () => {
  const held: unknown[] = [];
  const request = async (_: string, start: () => Promise<unknown>) => held.push(await start());
  vi.stubGlobal("navigator", { locks: { request } });
  await expect(withTabLock("name", () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(held).toEqual([undefined]);
  expect(await withTabLock("name", async () => 7)).toBe(7);
  expect(vi.getTimerCount()).toBe(0);
});
