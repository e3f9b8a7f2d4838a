import { TILES_REFETCH_MS } from "@lambda/contract/limits";
import { trpc } from "../../api/trpc.ts";
import { chunkIds } from "../MemberTile/chunk-ids.ts";

/** The month of the badge, as yyyy-mm, of those of these members who are checked. */
export function useChecked(ids: readonly number[], from = 0, to = ids.length): ReadonlyMap<number, string> {
  const results = trpc.useQueries((t) =>
    chunkIds(ids, from, to).map((profileIds) => t.personCheck.among({ profileIds }, { staleTime: TILES_REFETCH_MS })),
  );
  return new Map(results.flatMap(({ data }) => data?.items ?? []).map(({ profileId, month }) => [profileId, month]));
}
