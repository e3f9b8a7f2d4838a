import { CONVERSATIONS_REFETCH_MS, LIVE_REFETCH_MS } from "@lambda/contract/limits";
import type { Conversation } from "@lambda/contract/messages";
import { Button } from "@lambda/ui/button";
import { EmptyState } from "@lambda/ui/empty-state";
import { Icon } from "@lambda/ui/icon";
import { useInfiniteQuery } from "@tanstack/react-query";
import { getQueryKey } from "@trpc/react-query";
import { useState } from "react";
import { trpcClient } from "../../../../api/client.ts";
import { useIsLive } from "../../../../api/live-state.ts";
import { trpc } from "../../../../api/trpc.ts";
import { LoadMore } from "../../../../components/LoadMore.tsx";
import { QueryState } from "../../../../components/QueryState.tsx";
import { lazyPart } from "../../../../routing/lazy-part.tsx";
import css from "../chat.module.css";
import { useChatCopy } from "../copy.ts";
import { ConversationRow } from "./ConversationRow.tsx";

function useConversations() {
  const live = useIsLive();
  return useInfiniteQuery({
    queryKey: [...getQueryKey(trpc.messages.conversations), "pages"],
    // tRPC's own hook needs an input named `cursor`; this API's is `beforeMessageId`.
    queryFn: ({ pageParam }) => trpcClient.messages.conversations.query({ beforeMessageId: pageParam }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    refetchInterval: live ? LIVE_REFETCH_MS : CONVERSATIONS_REFETCH_MS,
    select: ({ pages }) => ({ pages, rows: removeDuplicates(pages.flatMap(({ items }) => items)) }),
  });
}

/** The other member's id, or the message's id while that member is not visible. */
const conversationKey = ({ other, message }: Conversation) => other?.profileId ?? `m${message.id}`;

/** A conversation that moved to the top between two page requests is in both pages. */
function removeDuplicates(rows: readonly Conversation[]): Conversation[] {
  return [...new Map(rows.toReversed().map((row) => [conversationKey(row), row])).values()].reverse();
}

/** Loaded with the first search. */
const SearchResults = lazyPart(() => import("./SearchResults.tsx"));

/** The open conversation: the other member's id, or a message's id while its sender is not visible. */
interface CurrentConversation {
  with?: number | undefined;
  of?: number | undefined;
}

export function ConversationList({ current }: { current: CurrentConversation }) {
  const copy = useChatCopy();
  const [query, setQuery] = useState("");
  const list = useConversations();
  if (!list.data)
    return <QueryState query={list} failed={copy.failedToLoad} shape="rows" count={8} label={copy.loading} />;
  // The server leaves out conversations without a readable message, so that a page may be empty although others follow.
  if (list.data.rows.length === 0 && !list.hasNextPage)
    return (
      <EmptyState
        figure="hello"
        title={copy.noConversations}
        text={copy.noConversationsHint}
        action={<Button variant="primary" href="/search/tile" label={copy.findMembers} />}
      />
    );
  return (
    <>
      <div className={css.search}>
        <label className={`row gap-2 raised radius-round muted ${css.searchField}`}>
          <Icon name="search" size={20} />
          <input
            type="search"
            value={query}
            placeholder={copy.search}
            aria-label={copy.search}
            autoComplete="off"
            onChange={(event) => setQuery(event.target.value)}
          />
        </label>
      </div>
      <div className={`grow ${css.rows}`}>
        {query.trim().length >= 2 ? (
          <SearchResults query={query.trim()} />
        ) : (
          <>
            {list.data.rows.map((row) => (
              <ConversationRow key={conversationKey(row)} row={row} current={isCurrent(row, current)} />
            ))}
            <LoadMore query={list} className="flex justify-center pad-4" />
          </>
        )}
      </div>
    </>
  );
}

function isCurrent({ other, message }: Conversation, current: CurrentConversation): boolean {
  return other ? other.profileId === current.with : message.id === current.of;
}
