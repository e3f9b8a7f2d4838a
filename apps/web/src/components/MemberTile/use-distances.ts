import { trpc } from "../../api/trpc.ts";
import { chunkIds } from "./chunk-ids.ts";

/** Lists of likes tell no distance by themselves: it is asked for those on the screen. Undefined until it is known, null for who shows none. */
export function useDistances(
  ids: readonly number[],
  from: number,
  to: number,
): (id: number) => number | null | undefined {
  const groups = chunkIds(ids, from, to);
  const answers = trpc.useQueries((t) => groups.map((profileIds) => t.positions.distances({ profileIds })));
  const known = new Map<number, number | null>();
  answers.forEach(({ data, isError }, index) => {
    if (data || isError) for (const id of groups[index] ?? []) known.set(id, null);
    for (const { profileId, distanceMeters } of data?.items ?? []) known.set(profileId, distanceMeters);
  });
  return (id) => known.get(id);
}
