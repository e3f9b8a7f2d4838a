/** Interprets a swipe on a card. Pure functions from positions to a verdict. */
import type { LikeType } from "@lambda/contract/likes";

export type SwipeVerdict = Extract<LikeType, "LIKE" | "DISLIKE" | "UNDETERMINED">;

/** A release beyond this distance counts as a swipe. */
const RELEASE_PX = 96;
/** A flick this fast (px/ms) counts from a third of that distance. */
const FLICK_SPEED = 0.5;
const UP_RESISTANCE = 0.12;
/** Degrees per pixel of horizontal movement. */
const ROTATION_PER_PX = 0.06;
const ROTATION_MAX = 14;

export interface Drag {
  readonly x: number;
  readonly y: number;
}

/** Upward swipes mean nothing: the card follows only a little. */
export const resistUpward = ({ x, y }: Drag): Drag => ({ x, y: y < 0 ? y * UP_RESISTANCE : y });

/** The verdict at this position; undefined upward and closer than `minDistance` to the center. */
export function verdictAt({ x, y }: Drag, minDistance = 1): SwipeVerdict | undefined {
  if (Math.abs(x) < minDistance && y < minDistance) return undefined;
  if (Math.abs(x) >= Math.abs(y)) return x > 0 ? "LIKE" : "DISLIKE";
  return y > 0 ? "UNDETERMINED" : undefined;
}

/** The verdict of a release; undefined if it was neither far enough nor fast enough. */
export function releaseVerdict(drag: Drag, speed: Drag): SwipeVerdict | undefined {
  const verdict = verdictAt(drag, RELEASE_PX);
  if (verdict) return verdict;
  const flicked = Math.max(Math.abs(speed.x), speed.y) >= FLICK_SPEED;
  return flicked ? verdictAt(drag, RELEASE_PX / 3) : undefined;
}

/** How close the drag is to a verdict, 0 to 1, for the strength of its color. */
export const verdictStrength = ({ x, y }: Drag): number => Math.min(1, Math.max(Math.abs(x), y, 0) / RELEASE_PX);

/** The card's rotation in degrees. It tilts toward the drag, or away from it if held at the bottom. */
export function cardRotation({ x }: Drag, atBottom: boolean): number {
  const degrees = Math.max(-ROTATION_MAX, Math.min(ROTATION_MAX, x * ROTATION_PER_PX));
  return atBottom ? -degrees : degrees;
}
