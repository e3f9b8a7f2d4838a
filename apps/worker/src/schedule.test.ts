import { expect, it, vi } from "vitest";
import { createBudget } from "./platform/db/chunked-jobs.ts";
import { runJobs } from "./schedule.ts";

const BUDGET = createBudget({ trips: 0, calls: 0 });

// As in production: error messages contain the location and no values.
vi.stubGlobal("__DEVELOPMENT__", false);

it("runs every job even when others fail, and then names those that failed", async () => {
  const done: string[] = [];
  const jobs = {
    first: async () => done.push("first"),
    broken: () => Promise.reject(new RangeError("a value")),
    alsoBroken: () => {
      throw new TypeError("before any promise");
    },
    last: async () => done.push("last"),
  };
  await expect(runJobs(jobs, BUDGET)).rejects.toThrow(/^jobs failed: broken: RangeError.*; alsoBroken: TypeError/);
  await expect(runJobs(jobs, BUDGET)).rejects.not.toThrow(/a value/);
  expect(done).toEqual(["first", "last", "first", "last"]);
  await expect(runJobs({ first: jobs.first }, BUDGET)).resolves.toBe("visibility");
});
