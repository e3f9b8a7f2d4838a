import { CONVERSATIONS_REFETCH_MS, LIVE_REFETCH_MS } from "@lambda/contract/limits";
import type { Conversation } from "@lambda/contract/messages";
import { useInfiniteQuery } from "@tanstack/react-query";
import { getQueryKey } from "@trpc/react-query";
import { useLive } from "../../../api/live-state.ts";
import { fetchConversations } from "../../../api/message-calls.ts";
import { trpc } from "../../../api/trpc.ts";

/** The latest message of each pair, newest first, page by page. */
export function useConversations() {
  const live = useLive();
  return useInfiniteQuery({
    queryKey: [...getQueryKey(trpc.messages.conversations), "pages"],
    // A message's id is the cursor, a parameter that the REST API names by itself, so tRPC's own hook does not fit.
    queryFn: ({ pageParam }) => fetchConversations({ beforeMessageId: pageParam }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    refetchInterval: live ? LIVE_REFETCH_MS : CONVERSATIONS_REFETCH_MS,
    select: ({ pages }) => eachOnce(pages.flatMap(({ items }) => items)),
  });
}

/** Names a row: by the other member, or by the message while that member is not visible. */
export const keyOf = ({ other, message }: Conversation) => other?.profileId ?? `m${message.id}`;

/** A conversation that came to the top between two pages may stand in both. */
function eachOnce(rows: readonly Conversation[]): Conversation[] {
  return [...new Map(rows.toReversed().map((row) => [keyOf(row), row])).values()].reverse();
}
