import { expect, it } from "vitest";
import { CHECK_CAMPAIGNS, meetsCheckGoal, playChecks } from "./checks.ts";
import { meetsGoal, playTable } from "./simulate.ts";

const CAMPAIGNS = 200;

it("prevents fifty accounts of one person from marking an innocent picture or clearing an explicit one", () => {
  const cells = playTable(CAMPAIGNS, 7, [300], [50]);
  expect(cells).toHaveLength(4);
  expect(cells.filter((cell) => !meetsGoal(cell))).toEqual([]);
});

it("detects that three times as many accounts as honest voters win", () => {
  const cells = playTable(20, 7, [300], [900]);
  expect(cells.map((cell) => [cell.attack, meetsGoal(cell)])).toEqual([
    ["none", true],
    ["none", true],
    ["mark", false],
    ["seal", false],
  ]);
});

it.each(CHECK_CAMPAIGNS)("gives no false man the badge, and honest ones theirs: %o", (campaign) => {
  expect(meetsCheckGoal(campaign, playChecks(campaign, 1000, 7))).toBe(true);
});
