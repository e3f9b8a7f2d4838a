/** What a finger on a card means. Pure: positions in, verdict out. */
import type { LikeType } from "@lambda/contract/likes";

export type Verdict = Extract<LikeType, "LIKE" | "DISLIKE" | "UNDETERMINED">;

/** This far, in pixels, a card is let go of. */
const RELEASE_PX = 96;
/** A flick this fast (px/ms) counts from a third of the way. */
const FLICK_SPEED = 0.5;
const UP_RESISTANCE = 0.12;
/** Degrees for each pixel that the finger went sideways. */
const TURN = 0.06;
const TURN_MAX = 14;

export interface Drag {
  readonly x: number;
  readonly y: number;
}

/** Up is blocked: the card gives way a little, and comes back. */
export function heldBack({ x, y }: Drag): Drag {
  return { x, y: y < 0 ? y * UP_RESISTANCE : y };
}

/** What letting go here would mean; undefined within reach of the middle, and upward. */
export function verdictAt({ x, y }: Drag, reach = 1): Verdict | undefined {
  if (Math.abs(x) < reach && y < reach) return undefined;
  if (Math.abs(x) >= Math.abs(y)) return x > 0 ? "LIKE" : "DISLIKE";
  return y > 0 ? "UNDETERMINED" : undefined;
}

/** The verdict of a release: far enough, or flicked. */
export function releaseVerdict(drag: Drag, speed: Drag): Verdict | undefined {
  const verdict = verdictAt(drag, RELEASE_PX);
  if (verdict) return verdict;
  const flicked = Math.max(Math.abs(speed.x), speed.y) >= FLICK_SPEED;
  return flicked ? verdictAt(drag, RELEASE_PX / 3) : undefined;
}

/** 0 to 1: how near the verdict is, for its colour. */
export function certainty({ x, y }: Drag): number {
  return Math.min(1, Math.max(Math.abs(x), y, 0) / RELEASE_PX);
}

/** A card turns about a point below it, so it leans the way it goes; held at its foot it leans the other way. */
export function turnOf({ x }: Drag, heldAtFoot: boolean): number {
  const degrees = Math.max(-TURN_MAX, Math.min(TURN_MAX, x * TURN));
  return heldAtFoot ? -degrees : degrees;
}
