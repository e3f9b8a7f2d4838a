import { expect, it } from "vitest";
import { forEachDespiteErrors } from "./for-each.ts";

it("continues with the other items when one fails, also before it returns a promise, and throws the first error at the end", async () => {
  const done: number[] = [];
  const work = forEachDespiteErrors([1, 2, 3, 4], (item) => {
    if (item === 1) throw new Error("first");
    if (item === 3) return Promise.reject(new Error("third"));
    done.push(item);
    return Promise.resolve();
  });
  await expect(work).rejects.toThrow("first");
  expect(done).toEqual([2, 4]);
});

it("returns the results in the order of the items", async () => {
  expect(await forEachDespiteErrors([3, 1, 2], async (item) => item * 2)).toEqual([6, 2, 4]);
});
