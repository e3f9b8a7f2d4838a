import { TILES_REFETCH_MS } from "@lambda/contract/limits";
import { trpc } from "../../api/trpc.ts";
import { chunkIds } from "./chunk-ids.ts";

/** Those of these members who joined within the last seven days. */
export function useNewMembers(ids: readonly number[], from = 0, to = ids.length): ReadonlySet<number> {
  const results = trpc.useQueries((t) =>
    chunkIds(ids, from, to).map((profileIds) => t.positions.newAmong({ profileIds }, { staleTime: TILES_REFETCH_MS })),
  );
  return new Set(results.flatMap(({ data }) => data?.items.map(({ profileId }) => profileId) ?? []));
}
