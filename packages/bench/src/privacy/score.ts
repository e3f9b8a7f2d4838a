/** Scores guesses at members' homes, in the same way for every bench of positions. */
import { quantile, round } from "../figures.ts";

export interface Found {
  /** Shares located within 50 and 100 m, and the median error. */
  readonly within50: number;
  readonly within100: number;
  readonly medianMeters: number;
}

/** Limits for street cells; in larger cells, distances are as many times longer. */
export const LIMITS: Found = { within50: 0.035, within100: 0.12, medianMeters: 200 };

/** The best of several ways to guess, each given by its errors in meters. Each figure is chosen separately. */
export function bestOf(guessers: readonly (readonly number[])[], scale = 1): Found {
  const share = (meters: number) =>
    Math.max(...guessers.map((errors) => errors.filter((error) => error <= meters * scale).length / errors.length));
  const medianMeters = Math.min(...guessers.map((errors) => quantile(errors, 0.5)));
  return { within50: share(50), within100: share(100), medianMeters };
}

/** Limits for a sample of a few members: three standard errors more. */
export const limitsForSample = (count: number, { within50, within100, medianMeters } = LIMITS): Found => ({
  within50: within50 + 3 * Math.sqrt((within50 * (1 - within50)) / count),
  within100: within100 + 3 * Math.sqrt((within100 * (1 - within100)) / count),
  medianMeters: 0.9 * medianMeters,
});

export function bestOfScores(scores: readonly Found[]): Found {
  return {
    within50: Math.max(...scores.map(({ within50 }) => within50)),
    within100: Math.max(...scores.map(({ within100 }) => within100)),
    medianMeters: Math.min(...scores.map(({ medianMeters }) => medianMeters)),
  };
}

export function holds({ within50, within100, medianMeters }: Found, limits = LIMITS, scale = 1): boolean {
  return within50 <= limits.within50 && within100 <= limits.within100 && medianMeters >= limits.medianMeters * scale;
}

const percent = (share: number) => `${round(share * 100)} %`;

export const toText = ({ within50, within100, medianMeters }: Found): string =>
  `${percent(within50)}, ${percent(within100)}, ${round(medianMeters)} m`;
