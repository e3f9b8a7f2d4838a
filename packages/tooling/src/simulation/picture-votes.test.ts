import { expect, it } from "vitest";
import { FIRST_LEAD, isMet, PRODUCT, playTable } from "./picture-votes.ts";

const CAMPAIGNS = 200;

it("lets fifty accounts of one person neither mark an innocent picture nor seal an explicit one", () => {
  const cells = playTable(PRODUCT, CAMPAIGNS, 7, [300], [50]);
  expect(cells).toHaveLength(4);
  expect(cells.filter((cell) => !isMet(cell))).toEqual([]);
});

it("sees the rule of a first lead fail", () => {
  const cells = playTable(FIRST_LEAD, 20, 7, [300], [10]);
  expect(cells.map((cell) => [cell.attack, isMet(cell)])).toEqual([
    ["none", true],
    ["none", true],
    ["mark", false],
    ["seal", false],
  ]);
});
