/** Whose word counts, and what is shown. Pure, so that a simulation can use it. */
import {
  MET_JOINED_PERIOD_MS,
  MET_LEVELS,
  MET_OTHER_CONVERSATIONS_MIN,
  MET_SAYER_AGE_MS,
} from "@lambda/contract/limits";

/** A member who said it of another, who said it too. */
export interface Sayer {
  readonly id: number;
  readonly tsJoined: number;
  readonly tsSaid: number;
  /** Where the account was registered; null if that is no longer known. */
  readonly network: number | null;
  /** Members with whom the sayer talked, without those who said it of the same member. */
  readonly conversations: number;
}

/** Those who cannot be one person: grown accounts with a life of their own, no two of one network or one period of joining. */
export function listCounted(sayers: readonly Sayer[], ownNetwork: number | null): Sayer[] {
  const networks = new Set([ownNetwork]);
  const periods = new Set<number>();
  return sayers
    .toSorted((one, other) => one.tsJoined - other.tsJoined || one.id - other.id)
    .filter(({ tsJoined, tsSaid, network, conversations }) => {
      const period = Math.floor(tsJoined / MET_JOINED_PERIOD_MS);
      if (tsSaid - tsJoined < MET_SAYER_AGE_MS || conversations < MET_OTHER_CONVERSATIONS_MIN) return false;
      if (periods.has(period) || (network !== null && networks.has(network))) return false;
      periods.add(period);
      networks.add(network);
      return true;
    });
}

/** The number that is shown: 0 for none. */
export const shownLevel = (count: number): 0 | (typeof MET_LEVELS)[number] =>
  MET_LEVELS.findLast((level) => count >= level) ?? 0;
