import { SWYPE_PAGE_SIZE, SWYPE_REFETCH_MS } from "@lambda/contract/limits";
import type { NearbyBrief } from "@lambda/contract/positions";
import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useState } from "react";
import { trpc } from "../../../../api/trpc.ts";
import { useIsJudged, useLike } from "../../../../components/MemberActions/use-like.ts";
import type { SwipeVerdict } from "../../../../components/SwipeDeck/swipe-gesture.ts";
import { useLoadMore } from "../../../../components/use-load-more.ts";
import { type Filters, formatFilters } from "../filters/filters.ts";
import { useNearest } from "../use-nearest.ts";

/** How many cards are fetched ahead, with their pictures. */
const CARDS_AHEAD = 4;

interface Judged {
  readonly member: NearbyBrief;
  readonly verdict: SwipeVerdict;
}

export type Deck = ReturnType<typeof useDeck>;

/** Members already swiped in this stack. Stored in the query cache, so that returning from a profile continues at the same card. */
function useJudged(query: string) {
  const client = useQueryClient();
  const key = useMemo(() => ["judged", query], [query]);
  const [judged, setJudged] = useState<readonly Judged[]>(() => client.getQueryData(key) ?? []);
  useEffect(() => {
    client.setQueryData(key, judged);
  }, [client, key, judged]);
  return [judged, setJudged] as const;
}

/** The Swype stack: the cards ahead are preloaded, each verdict is saved at once, and the last one can be undone. */
export function useDeck(filters: Filters) {
  const nearest = useNearest(filters, { size: SWYPE_PAGE_SIZE, refetchMs: SWYPE_REFETCH_MS, unjudged: true });
  const { members, hasNextPage, isFetching, isError } = nearest;
  const utils = trpc.useUtils();
  const like = useLike();
  const isJudged = useIsJudged();
  const [judged, setJudged] = useJudged(formatFilters(filters));

  const remaining = useMemo(() => {
    const judgedIds = new Set(judged.map(({ member }) => member.profileId));
    // Who was judged on another screen leaves the stack too: a press here would undo that without showing it.
    return members.filter(({ profileId }) => !judgedIds.has(profileId) && !isJudged(profileId));
  }, [members, judged, isJudged]);

  useLoadMore(remaining.length < CARDS_AHEAD, nearest);

  const judge = useCallback(
    async (member: NearbyBrief, verdict: SwipeVerdict) => {
      setJudged((current) => [...current, { member, verdict }]);
      // A skip is no verdict, and must not take back a like from another device.
      const isSaved = verdict === "UNDETERMINED" || (await like(member.profileId, verdict));
      // If the verdict was not saved, the card returns.
      if (!isSaved) setJudged((current) => current.filter((other) => other.member.profileId !== member.profileId));
    },
    [like, setJudged],
  );

  const last = judged[judged.length - 1];
  const undo = useCallback(async () => {
    if (!last) return;
    setJudged((current) => current.slice(0, -1));
    if (last.verdict === "UNDETERMINED" || (await like(last.member.profileId, "UNDETERMINED"))) return;
    // The card would look as if the member had not been judged.
    setJudged((current) => [...current, last]);
  }, [last, like, setJudged]);

  const restart = () => {
    // Both at once, so that no previous card flashes up.
    void utils.positions.nearest.reset({ size: SWYPE_PAGE_SIZE, unjudged: true });
    setJudged([]);
  };

  return {
    remaining,
    cards: remaining.slice(0, 3),
    ahead: remaining.slice(3, CARDS_AHEAD + 1),
    last,
    judge,
    undo,
    restart,
    isPending: nearest.isPending || (remaining.length === 0 && !isError && (isFetching || hasNextPage)),
    error: isError && remaining.length === 0 ? nearest.error : undefined,
    refetch: nearest.refetch,
    isFetching,
  };
}
