import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { askWorker } from "./ask-worker.ts";
import { DeadlinePassed } from "./with-deadline.ts";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const makeWorker = () => ({ postMessage: vi.fn(), terminate: vi.fn() }) as unknown as Worker;
const post = async (worker: Worker, data: object) => {
  worker.onmessage?.({ data } as MessageEvent);
  await vi.advanceTimersByTimeAsync(0);
};

it("waits for as long as the worker makes progress, and ends it with the answer", async () => {
  const worker = makeWorker();
  const onProgress = vi.fn();
  const answer = askWorker<string>(worker, "task", { waitMs: 1000, onProgress });
  for (let count = 1; count <= 3; count += 1) {
    await vi.advanceTimersByTimeAsync(900);
    await post(worker, { progress: count });
  }
  await post(worker, { answer: "done" });
  expect(await answer).toBe("done");
  expect(onProgress.mock.calls).toEqual([[1], [2], [3]]);
  expect(worker.postMessage).toHaveBeenCalledExactlyOnceWith("task");
  expect(worker.terminate).toHaveBeenCalledOnce();
});

it("gives up a worker that is silent, fails, or is not waited for any longer", async () => {
  const silent = makeWorker();
  const passed = expect(askWorker(silent, 0, { waitMs: 1000 })).rejects.toThrow(DeadlinePassed);
  await vi.advanceTimersByTimeAsync(1000);
  await passed;

  const failing = makeWorker();
  const failed = expect(askWorker(failing, 0, { waitMs: 1000 })).rejects.toThrow("no memory");
  await post(failing, { failure: "no memory" });
  await failed;

  const unwanted = makeWorker();
  const ending = new AbortController();
  const aborted = expect(askWorker(unwanted, 0, { waitMs: 1000, signal: ending.signal })).rejects.toThrow("closed");
  ending.abort(new Error("closed"));
  await aborted;
  for (const worker of [silent, failing, unwanted]) expect(worker.terminate).toHaveBeenCalledOnce();
});
