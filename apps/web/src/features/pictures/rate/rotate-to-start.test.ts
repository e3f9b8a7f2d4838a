import { expect, test } from "vitest";
import { rotateToStart } from "./rotate-to-start.ts";

test("the deck starts with the given picture and ends with those before it", () => {
  const ids = (start: number | undefined) =>
    rotateToStart([{ id: 472 }, { id: 475 }, { id: 476 }], start).map(({ id }) => id);
  expect(ids(475)).toEqual([475, 476, 472]);
  expect(ids(472)).toEqual([472, 475, 476]);
  expect(ids(undefined)).toEqual([472, 475, 476]);
  expect(ids(9)).toEqual([472, 475, 476]);
});
