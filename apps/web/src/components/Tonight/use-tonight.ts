import { TILES_REFETCH_MS } from "@lambda/contract/limits";
import type { MemberTonight, TonightPlan } from "@lambda/contract/tonight";
import { useMemo } from "react";
import { trpc } from "../../api/trpc.ts";
import { serverNow } from "../../device/server-clock.ts";
import { clockTime } from "../../format/time.ts";
import { chunkIds } from "../MemberTile/chunk-ids.ts";
import { useTonightCopy } from "./copy.ts";

export function useTonight(ids: readonly number[], from = 0, to = ids.length): ReadonlyMap<number, MemberTonight> {
  const options = { staleTime: TILES_REFETCH_MS, refetchInterval: TILES_REFETCH_MS };
  const results = trpc.useQueries((t) =>
    chunkIds(ids, from, to).map((profileIds) => t.tonight.among({ profileIds }, options)),
  );
  const items = results.flatMap(({ data }) => data?.items ?? []);
  const key = items.map(({ profileId, tsUntil, wishes }) => [profileId, tsUntil, wishes].join()).join(";");
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key tells when the items changed
  return useMemo(() => new Map(items.map((item) => [item.profileId, item])), [key]);
}

/** "Out until 1:00 AM: coffee and a drink"; undefined when it is over. */
export function useTonightText(plan: TonightPlan | null | undefined): string | undefined {
  const copy = useTonightCopy();
  if (!plan || Date.parse(plan.tsUntil) <= serverNow()) return undefined;
  return copy.outUntil(
    clockTime(plan.tsUntil),
    plan.wishes.map((wish) => copy.wishes[wish]),
  );
}
