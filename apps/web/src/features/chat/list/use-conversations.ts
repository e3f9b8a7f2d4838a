import { CONVERSATIONS_REFETCH_MS, LIVE_REFETCH_MS } from "@lambda/contract/limits";
import type { Conversation } from "@lambda/contract/messages";
import { useInfiniteQuery } from "@tanstack/react-query";
import { getQueryKey } from "@trpc/react-query";
import { useIsLive } from "../../../api/live-state.ts";
import { fetchConversations } from "../../../api/message-calls.ts";
import { trpc } from "../../../api/trpc.ts";

/** The latest message of each conversation, newest first, page by page. */
export function useConversations() {
  const live = useIsLive();
  return useInfiniteQuery({
    queryKey: [...getQueryKey(trpc.messages.conversations), "pages"],
    // tRPC's own hook needs an input named `cursor`; this API's is `beforeMessageId`.
    queryFn: ({ pageParam }) => fetchConversations({ beforeMessageId: pageParam }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    refetchInterval: live ? LIVE_REFETCH_MS : CONVERSATIONS_REFETCH_MS,
    select: ({ pages }) => removeDuplicates(pages.flatMap(({ items }) => items)),
  });
}

/** The other member's id, or the message's id while that member is not visible. */
export const conversationKey = ({ other, message }: Conversation) => other?.profileId ?? `m${message.id}`;

/** A conversation that moved to the top between two page requests is in both pages. */
function removeDuplicates(rows: readonly Conversation[]): Conversation[] {
  return [...new Map(rows.toReversed().map((row) => [conversationKey(row), row])).values()].reverse();
}
