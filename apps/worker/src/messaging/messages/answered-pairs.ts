/**
 * Pairs of the main database in which both members wrote, as far as this isolate saw: only a hint of which messages are worth trying to store
 * at once, as the statement itself checks everything.
 */
const pairs = new Set<string>();
const PAIRS_MAX = 10_000;

export const hasSeenAnswered = (me: number, other: number): boolean => pairs.has(`${me}:${other}`);

export function rememberAnswered(me: number, other: number): void {
  if (pairs.size >= PAIRS_MAX) pairs.clear();
  pairs.add(`${me}:${other}`);
}

export function forgetAnswered(me: number, other: number): void {
  pairs.delete(`${me}:${other}`);
}
