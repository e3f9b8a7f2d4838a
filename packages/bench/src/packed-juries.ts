/**
 * Simulates an attacker with 10 to 100 accounts, forty days old and on different networks, against juries drawn from 300 to 10,000
 * honest members: 1,000 campaigns of thirty days per cell. Tabulates how often an innocent member is punished, a guilty one is shielded,
 * and staff decide. The control, accounts grown over years, three for each honest member, must win.
 */
import { seededRandom } from "@lambda/testing/random";
import type { BenchOptions } from "./figures.ts";
import { playGuilty, playInnocent } from "./juries/campaign.ts";
import { makeCommunity } from "./juries/community.ts";

const CAMPAIGNS = 1000;
const POOLS = [300, 1000, 10_000] as const;
const HOSTILE = [0, 10, 20, 50, 100] as const;

const INNOCENT_SANCTIONED_MAX = 0.01;
const GUILTY_SHIELDED_MAX = 0.05;
const HONEST_CORRECT_MIN = 0.95;

interface Cell {
  readonly pool: number;
  readonly hostile: number;
  /** Shares of campaigns. */
  readonly sanctioned: number;
  readonly shielded: number;
  /** Shares of decisions made by staff, in each kind of campaign. */
  readonly staffInnocent: number;
  readonly staffGuilty: number;
  readonly holds: boolean;
}

export function playCell(pool: number, hostile: number, campaigns: number, areGrown = false): Cell {
  const random = seededRandom(1_000_003 + pool * 101 + hostile).next;
  const community = makeCommunity(pool, hostile, random, areGrown);
  let [sanctioned, shielded] = [0, 0];
  const innocent = { cases: 0, byStaff: 0 };
  const guilty = { cases: 0, byStaff: 0 };
  for (let campaign = 0; campaign < campaigns; campaign += 1) {
    const framing = playInnocent(community, random);
    const shielding = playGuilty(community, random);
    sanctioned += framing.wrong ? 1 : 0;
    shielded += shielding.wrong ? 1 : 0;
    innocent.cases += framing.tally.cases;
    innocent.byStaff += framing.tally.byStaff;
    guilty.cases += shielding.tally.cases;
    guilty.byStaff += shielding.tally.byStaff;
  }
  const shares = { sanctioned: sanctioned / campaigns, shielded: shielded / campaigns };
  return {
    pool,
    hostile,
    ...shares,
    staffInnocent: innocent.byStaff / innocent.cases,
    staffGuilty: guilty.byStaff / guilty.cases,
    holds:
      hostile === 0
        ? 1 - shares.sanctioned >= HONEST_CORRECT_MIN && 1 - shares.shielded >= HONEST_CORRECT_MIN
        : shares.sanctioned <= INNOCENT_SANCTIONED_MAX && shares.shielded <= GUILTY_SHIELDED_MAX,
  };
}

function formatCell(cell: Cell): string {
  const percent = (share: number) => `${(share * 100).toFixed(1)} %`.padStart(8);
  return [
    String(cell.pool).padStart(7),
    String(cell.hostile).padStart(8),
    percent(cell.sanctioned).padStart(21),
    percent(cell.shielded).padStart(17),
    percent(cell.staffInnocent).padStart(16),
    percent(cell.staffGuilty).padStart(14),
    cell.holds ? "  holds" : "  FAILS",
  ].join("");
}

const HEADER = ` pool  hostile  innocent sanctioned  guilty shielded  staff: innocent  staff: guilty`;

export async function run({ queries: campaigns = CAMPAIGNS, only }: BenchOptions): Promise<void> {
  const pools = POOLS.filter((size) => only === undefined || only.split(",").includes(String(size)));
  console.log(`\n${campaigns} campaigns per cell\n${HEADER}`);
  const cells = pools.flatMap((pool) => HOSTILE.map((hostile) => playCell(pool, hostile, campaigns)));
  const control = playCell(300, 900, Math.min(100, campaigns), true);
  for (const cell of [...cells, control]) console.log(formatCell(cell));
  console.log(
    "\nGoals: innocent sanctioned <= 1 %, guilty shielded <= 5 %, correct outcome with only honest voters >= 95 %." +
      "\nstaff: the share of decisions, including appeals, that went to staff, in campaigns against an innocent and by a guilty member.",
  );
  if (control.holds || !cells.every(({ holds }) => holds))
    throw new Error("a cell misses its goal, or the control meets it");
}
