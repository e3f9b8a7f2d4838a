import { expect, test } from "vitest";
import { beginningWith } from "./beginning-with.ts";

test("a deck begins with the picture that was chosen, and holds those before it too", () => {
  const ids = (start: number | undefined) =>
    beginningWith([{ id: 472 }, { id: 475 }, { id: 476 }], start).map(({ id }) => id);
  expect(ids(475)).toEqual([475, 476, 472]);
  expect(ids(472)).toEqual([472, 475, 476]);
  expect(ids(undefined)).toEqual([472, 475, 476]);
  expect(ids(9)).toEqual([472, 475, 476]);
});
