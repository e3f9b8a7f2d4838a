import { describe, expect, it } from "vitest";
import { budgetOf, inRounds } from "./rounds.ts";

/** Work of so many rows; `done` holds, in order, whose portion was done. */
function backlog(name: string, rows: number, done: string[]) {
  let left = rows;
  return async (atOnce: number) => {
    done.push(name);
    const taken = Math.min(left, atOnce);
    left -= taken;
    return taken === atOnce;
  };
}

async function runAll(jobs: Readonly<Record<string, () => Promise<void>>>): Promise<void> {
  for (const job of Object.values(jobs)) await job();
}

describe("work in rounds", () => {
  it("gives each its turn before a long backlog goes on, and ends when nothing is left", async () => {
    const done: string[] = [];
    await runAll(inRounds({ long: backlog("long", 5, done), short: backlog("short", 1, done) }, () => true, 2));
    expect(done).toEqual(["long", "short", "long", "long"]);
  });

  it("stops when the run's budget is over, after one portion of each", async () => {
    const done: string[] = [];
    const cost = { trips: 0, rowsRead: 0, rowsWritten: 0 };
    const asking = (name: string) => {
      const portion = backlog(name, 1_000_000, done);
      return (atOnce: number) => {
        cost.trips += 300;
        return portion(atOnce);
      };
    };
    await runAll(inRounds({ one: asking("one"), other: asking("other") }, budgetOf(cost)));
    expect(done).toEqual(["one", "other", "one"]);
  });

  it("goes on with what is left when a portion fails, and says so once", async () => {
    const done: string[] = [];
    const jobs = inRounds(
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
