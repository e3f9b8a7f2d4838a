import { expect, it } from "vitest";
import { CHECK_CAMPAIGNS, meetsCheckGoal, playChecks } from "./checks.ts";
import { CURRENT_RULE, FIRST_LEAD_RULE, meetsGoal, playTable } from "./simulate.ts";

const CAMPAIGNS = 200;

it("prevents fifty accounts of one person from marking an innocent picture or clearing an explicit one", () => {
  const cells = playTable(CURRENT_RULE, CAMPAIGNS, 7, [300], [50]);
  expect(cells).toHaveLength(4);
  expect(cells.filter((cell) => !meetsGoal(cell))).toEqual([]);
});

it("detects that the first-lead rule fails", () => {
  const cells = playTable(FIRST_LEAD_RULE, 20, 7, [300], [10]);
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
