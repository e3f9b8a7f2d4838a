import { SWYPE_PAGE_SIZE, SWYPE_REFETCH_MS } from "@lambda/contract/limits";
import type { NearbyBrief } from "@lambda/contract/positions";
import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useState } from "react";
import { useLike } from "../../../components/MemberActions/use-like.ts";
import type { Verdict } from "../../../components/SwipeDeck/swipe-gesture.ts";
import { type Filters, formatFilters } from "../filters/filters.ts";
import { useNearest } from "../use-nearest.ts";

/** Cards that are fetched, and their pictures loaded, before they are needed. */
const AHEAD = 4;

interface Judged {
  readonly member: NearbyBrief;
  readonly verdict: Verdict;
}

export type Deck = ReturnType<typeof useDeck>;

/** Members already swiped in this stack. Kept with the cached pages, so that coming back from a profile goes on from the same card. */
function useJudged(query: string) {
  const client = useQueryClient();
  const key = useMemo(() => ["judged", query], [query]);
  const [judged, setJudged] = useState<readonly Judged[]>(() => client.getQueryData(key) ?? []);
  useEffect(() => {
    client.setQueryData(key, judged);
  }, [client, key, judged]);
  return [judged, setJudged] as const;
}

/** The stack of Swype: one card a page, the next ones ready, each verdict saved at once, the last one undone on request. */
export function useDeck(filters: Filters) {
  const nearest = useNearest(filters, { size: SWYPE_PAGE_SIZE, refetchMs: SWYPE_REFETCH_MS, unjudged: true });
  const { members, hasNextPage, isFetching, isError, fetchNextPage } = nearest;
  const like = useLike();
  const [judged, setJudged] = useJudged(formatFilters(filters));

  const left = useMemo(() => {
    const gone = new Set(judged.map(({ member }) => member.profileId));
    return members.filter((member) => !gone.has(member.profileId));
  }, [members, judged]);

  useEffect(() => {
    if (left.length < AHEAD && hasNextPage && !isFetching && !isError) void fetchNextPage();
  }, [left.length, hasNextPage, isFetching, isError, fetchNextPage]);

  const judge = useCallback(
    async (member: NearbyBrief, verdict: Verdict) => {
      setJudged((now) => [...now, { member, verdict }]);
      const kept = await like(member.profileId, verdict);
      // Not saved: the card comes back.
      if (!kept) setJudged((now) => now.filter((other) => other.member.profileId !== member.profileId));
    },
    [like, setJudged],
  );

  const last = judged[judged.length - 1];
  const undo = useCallback(async () => {
    if (!last) return;
    setJudged((now) => now.slice(0, -1));
    if (last.verdict !== "UNDETERMINED") await like(last.member.profileId, "UNDETERMINED");
  }, [last, like, setJudged]);

  const restart = () => {
    // Both at once, so that no card of before shows again for a moment.
    void nearest.reset();
    setJudged([]);
  };

  return {
    cards: left.slice(0, 3),
    ahead: left.slice(3, AHEAD + 1),
    last,
    judge,
    undo,
    restart,
    pending: nearest.isPending || (left.length === 0 && !isError && (isFetching || hasNextPage)),
    failed: isError && left.length === 0 ? nearest.error : undefined,
    refetch: nearest.refetch,
    fetching: isFetching,
  };
}
