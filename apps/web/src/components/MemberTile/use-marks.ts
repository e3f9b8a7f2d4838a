import { CONVERSATIONS_REFETCH_MS, LIVE_REFETCH_MS, TILES_REFETCH_MS } from "@lambda/contract/limits";
import { useLive } from "../../api/live-state.ts";
import { trpc } from "../../api/trpc.ts";
import { useSession } from "../../session/session.ts";
import { chunkIds } from "./chunk-ids.ts";

export interface Marks {
  readonly liked: ReadonlySet<number>;
  readonly unread: ReadonlySet<number>;
}

/**
 * What tiles carry in a corner. Likes are asked for the members on the screen, 28 in one call, so that no search pays for them. Unread
 * messages come from the list of conversations, which is only read while the session counts something unread.
 */
export function useMarks(ids: readonly number[], from: number, to: number): Marks {
  const { context } = useSession();
  const answers = trpc.useQueries((t) =>
    chunkIds(ids, from, to).map((profileIds) => t.likes.among({ profileIds }, { staleTime: TILES_REFETCH_MS })),
  );
  const refetchInterval = useLive() ? LIVE_REFETCH_MS : CONVERSATIONS_REFETCH_MS;
  const waiting = (context?.unreadMessages ?? 0) > 0;
  const conversations = trpc.messages.conversations.useQuery({}, { enabled: waiting, refetchInterval });
  const unread = (waiting && conversations.data?.items.filter((row) => row.unread > 0)) || [];
  return {
    liked: new Set(answers.flatMap(({ data }) => data?.items.map((like) => like.likedProfileId) ?? [])),
    unread: new Set(unread.flatMap(({ other }) => other?.profileId ?? [])),
  };
}
