import { CONVERSATIONS_REFETCH_MS, TILES_REFETCH_MS } from "@lambda/contract/limits";
import { trpc } from "../../api/trpc.ts";
import { useSession } from "../../session/session.ts";
import { groupsOf } from "./shown-ids.ts";

export interface Marks {
  readonly liked: ReadonlySet<number>;
  readonly unread: ReadonlySet<number>;
}

/**
 * What tiles carry in a corner. Whom he likes is asked for the men on the screen, one call for 28 of them, so that no search pays
 * for it. Who wrote to him stands in the list of conversations, which the live line keeps fresh and which is only read while
 * the session counts something unread.
 */
export function useMarks(ids: readonly number[], from: number, to: number): Marks {
  const { context } = useSession();
  const answers = trpc.useQueries((t) =>
    groupsOf(ids, from, to).map((profileIds) => t.likes.among({ profileIds }, { staleTime: TILES_REFETCH_MS })),
  );
  const waiting = (context?.unreadMessages ?? 0) > 0;
  const conversations = trpc.messages.conversations.useQuery(
    {},
    { enabled: waiting, refetchInterval: CONVERSATIONS_REFETCH_MS },
  );
  const unread = (waiting && conversations.data?.items.filter((row) => row.unread > 0)) || [];
  return {
    liked: new Set(answers.flatMap(({ data }) => data?.items.map((like) => like.likedProfileId) ?? [])),
    unread: new Set(unread.flatMap(({ other }) => other?.profileId ?? [])),
  };
}
