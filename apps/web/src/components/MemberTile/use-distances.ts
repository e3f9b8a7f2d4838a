import { trpc } from "../../api/trpc.ts";
import { chunkIds } from "./chunk-ids.ts";

/**
 * Fetches distances for the members on screen, because lists of likes do not include them. Undefined while loading, null for members
 * who show no position.
 */
export function useDistances(
  ids: readonly number[],
  from: number,
  to: number,
): (id: number) => number | null | undefined {
  const chunks = chunkIds(ids, from, to);
  const results = trpc.useQueries((t) => chunks.map((profileIds) => t.positions.distances({ profileIds })));
  const distances = new Map<number, number | null>();
  results.forEach(({ data, isError }, index) => {
    if (data || isError) for (const id of chunks[index] ?? []) distances.set(id, null);
    for (const { profileId, distanceMeters } of data?.items ?? []) distances.set(profileId, distanceMeters);
  });
  return (id) => distances.get(id);
}
