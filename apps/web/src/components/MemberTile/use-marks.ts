import { CONVERSATIONS_REFETCH_MS, LIVE_REFETCH_MS, TILES_REFETCH_MS } from "@lambda/contract/limits";
import { useIsLive } from "../../api/live-state.ts";
import { trpc } from "../../api/trpc.ts";
import { useSession } from "../../session/session.ts";
import { chunkIds } from "./chunk-ids.ts";

export interface Marks {
  readonly liked: ReadonlySet<number>;
  readonly unread: ReadonlySet<number>;
}

/**
 * The like and unread marks in the corner of tiles. Likes are fetched separately for the members on screen, to keep searches cheap.
 * Unread messages come from the conversation list, which is fetched only while the session counts unread messages.
 */
export function useMarks(ids: readonly number[], from: number, to: number): Marks {
  const { context } = useSession();
  const likes = trpc.useQueries((t) =>
    chunkIds(ids, from, to).map((profileIds) => t.likes.among({ profileIds }, { staleTime: TILES_REFETCH_MS })),
  );
  const refetchInterval = useIsLive() ? LIVE_REFETCH_MS : CONVERSATIONS_REFETCH_MS;
  const hasUnread = (context?.unreadMessages ?? 0) > 0;
  const conversations = trpc.messages.conversations.useQuery({}, { enabled: hasUnread, refetchInterval });
  const unread = (hasUnread && conversations.data?.items.filter((row) => row.unread > 0)) || [];
  return {
    liked: new Set(likes.flatMap(({ data }) => data?.items.map((like) => like.likedProfileId) ?? [])),
    unread: new Set(unread.flatMap(({ other }) => other?.profileId ?? [])),
  };
}
