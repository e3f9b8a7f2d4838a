import { describe, expect, it } from "vitest";
import { forEachDue } from "../for-each.ts";
import { createBudget, inChunks, mayGoOn, runInTurns } from "./chunked-jobs.ts";

const cost = { trips: 0, calls: 0 };

/** Runs jobs with a new budget; returns the names of those that failed. */
async function run(jobs: Parameters<typeof runInTurns>[0]): Promise<string[]> {
  const failed: string[] = [];
  cost.trips = 0;
  await runInTurns(jobs, createBudget(cost), (name) => failed.push(name));
  return failed;
}

/** A chunked job with this many rows; `done` records the order in which chunks ran. */
function backlog(name: string, rows: number, done: string[], trips: number) {
  let left = rows;
  return async (limit: number) => {
    done.push(name);
    cost.trips += trips;
    const handled = Math.min(left, limit);
    left -= handled;
    return handled === limit;
  };
}

describe("jobs in turns", () => {
  it("take a share of the budget each before a long backlog continues, and end when nothing is left", async () => {
    const done: string[] = [];
    const long = backlog("long", 5, done, 300);
    expect(await run(inChunks({ long, short: backlog("short", 1, done, 1) }, 1000))).toEqual([]);
    expect(done).toEqual(["long", "short"]);
    done.length = 0;
    await run(inChunks({ long: backlog("long", 5, done, 190), short: backlog("short", 1, done, 1) }, 2));
    expect(done).toEqual(["long", "long", "short", "long"]);
  });

  it("stop when the budget is used up, after at least one chunk each", async () => {
    const done: string[] = [];
    await run(inChunks({ one: backlog("one", 1e6, done, 300), other: backlog("other", 1e6, done, 300) }));
    expect(done).toEqual(["one", "one", "other"]);
  });

  it("continue with the others when one fails, which fails once", async () => {
    const done: string[] = [];
    const broken = () => Promise.reject(new Error("full"));
    expect(await run(inChunks({ broken, whole: backlog("whole", 3, done, 1) }, 2))).toEqual(["broken"]);
    expect(done).toEqual(["whole", "whole"]);
  });

  it("leave the items beyond their share to a further turn, and what the run cannot do to the next", async () => {
    const due = { one: Array.from({ length: 50 }, (_, index) => index), other: [1, 2, 3] };
    const done: string[] = [];
    const job = (name: keyof typeof due) => () =>
      forEachDue([...due[name]], async (item) => {
        cost.trips += 30;
        due[name].splice(due[name].indexOf(item), 1);
        done.push(name);
      });
    await run({ one: job("one"), other: job("other") });
    expect(due.other).toEqual([]);
    expect(done.indexOf("other")).toBe(12);
    expect(cost.trips).toBeLessThanOrEqual(730);
    expect(due.one).toHaveLength(50 - 21);
  });

  it("end between two items, and the next does not begin, once the site is closed", async () => {
    const items: string[] = [];
    let isClosed = false;
    const pause = { isOn: () => isClosed, look: async () => isClosed };
    const jobs = {
      long: async () => {
        do {
          items.push("item");
          isClosed = items.length === 3;
        } while (mayGoOn());
      },
      next: async () => items.push("next"),
    };
    await runInTurns(jobs, createBudget({ trips: 0, calls: 0 }, pause), () => undefined);
    expect(items).toEqual(["item", "item", "item"]);
  });
});
