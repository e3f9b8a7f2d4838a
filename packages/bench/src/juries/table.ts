/** Tabulates how often an innocent member is punished, a guilty one is shielded, and staff decide. */
import { seededRandom } from "@lambda/testing/random";
import { playGuilty, playInnocent } from "./campaign.ts";
import { makeCommunity } from "./community.ts";
import type { CourtRules } from "./courts.ts";

export const POOLS = [300, 1000, 10_000] as const;
export const HOSTILE = [0, 10, 20, 50, 100] as const;

const INNOCENT_SANCTIONED_MAX = 0.01;
const GUILTY_SHIELDED_MAX = 0.05;
const HONEST_CORRECT_MIN = 0.95;

export interface Cell {
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

export function playCell(courts: CourtRules, pool: number, hostile: number, campaigns: number, seed = 1): Cell {
  const random = seededRandom(seed * 1_000_003 + pool * 101 + hostile).next;
  const community = makeCommunity(pool, hostile, random);
  let [sanctioned, shielded] = [0, 0];
  const innocent = { cases: 0, byStaff: 0 };
  const guilty = { cases: 0, byStaff: 0 };
  for (let campaign = 0; campaign < campaigns; campaign += 1) {
    const framing = playInnocent(courts, community, random);
    const shielding = playGuilty(courts, community, random);
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

export function formatCell(cell: Cell): string {
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

export const HEADER = ` pool  hostile  innocent sanctioned  guilty shielded  staff: innocent  staff: guilty`;
