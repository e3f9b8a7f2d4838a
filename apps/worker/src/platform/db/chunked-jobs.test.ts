import { describe, expect, it } from "vitest";
import { createBudget, roundRobinJobs } from "./chunked-jobs.ts";

/** A chunked job with this many rows; `done` records the order in which chunks ran. */
function backlog(name: string, rows: number, done: string[]) {
  let left = rows;
  return async (limit: number) => {
    done.push(name);
    const handled = Math.min(left, limit);
    left -= handled;
    return handled === limit;
  };
}

async function runAll(jobs: Readonly<Record<string, () => Promise<void>>>): Promise<void> {
  for (const job of Object.values(jobs)) await job();
}

describe("chunked jobs", () => {
  it("each run once before a long backlog continues, and end when nothing is left", async () => {
    const done: string[] = [];
    await runAll(roundRobinJobs({ long: backlog("long", 5, done), short: backlog("short", 1, done) }, () => true, 2));
    expect(done).toEqual(["long", "short", "long", "long"]);
  });

  it("stop when the budget is used up, after at least one chunk each", async () => {
    const done: string[] = [];
    const cost = { trips: 0, rowsRead: 0, rowsWritten: 0 };
    const costlyBacklog = (name: string) => {
      const runChunk = backlog(name, 1_000_000, done);
      return (limit: number) => {
        cost.trips += 300;
        return runChunk(limit);
      };
    };
    await runAll(roundRobinJobs({ one: costlyBacklog("one"), other: costlyBacklog("other") }, createBudget(cost)));
    expect(done).toEqual(["one", "other", "one"]);
  });

  it("continue with the others when one fails, which fails once", async () => {
    const done: string[] = [];
    const jobs = roundRobinJobs(
      { broken: () => Promise.reject(new Error("full")), whole: backlog("whole", 3, done) },
      () => true,
      2,
    );
    await expect(jobs.broken!()).rejects.toThrow("full");
    await jobs.whole!();
    await jobs.furtherPortions!();
    expect(done).toEqual(["whole", "whole"]);
  });
});
