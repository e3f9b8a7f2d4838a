import { PROFILE_IDS_PER_CALL_MAX } from "@lambda/contract/limits";

/**
 * Splits the ids from..to of a long list into chunks for one call each, without duplicates within a chunk. The boundaries do not depend
 * on the range, so that scrolling requests every chunk only once.
 */
export function chunkIds(ids: readonly number[], from: number, to: number): number[][] {
  const chunks: number[][] = [];
  if (to <= from) return chunks;
  const first = Math.floor(from / PROFILE_IDS_PER_CALL_MAX) * PROFILE_IDS_PER_CALL_MAX;
  for (let start = first; start < Math.min(to, ids.length); start += PROFILE_IDS_PER_CALL_MAX) {
    chunks.push([...new Set(ids.slice(start, start + PROFILE_IDS_PER_CALL_MAX))]);
  }
  return chunks;
}
