import { useInfiniteQuery } from "@tanstack/react-query";
import { getQueryKey } from "@trpc/react-query";
import { useDeferredValue } from "react";
import { trpcClient } from "../../../../api/client.ts";
import { trpc } from "../../../../api/trpc.ts";
import { LoadMore } from "../../../../components/LoadMore.tsx";
import { QueryState } from "../../../../components/QueryState.tsx";
import { useDebounced } from "../../../../components/use-debounced.ts";
import css from "../chat.module.css";
import { useChatCopy } from "../copy.ts";
import { ConversationRow } from "./ConversationRow.tsx";

/** Each page searches a part of the history; the button searches further back. */
export default function SearchResults({ query }: { query: string }) {
  const copy = useChatCopy();
  const debouncedQuery = useDebounced(query);
  const search = useInfiniteQuery({
    queryKey: [...getQueryKey(trpc.messages.search), debouncedQuery],
    queryFn: ({ pageParam }) => trpcClient.messages.search.query({ query: debouncedQuery, beforeMessageId: pageParam }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
  const results = useDeferredValue(search.data?.pages.flatMap(({ items }) => items) ?? []);
  if (search.isLoadingError || (search.isPending && results.length === 0))
    return <QueryState query={search} failed={copy.failedToLoad} shape="rows" count={4} label={copy.search} />;
  return (
    <>
      {results.map((row) => (
        <ConversationRow key={row.message.id} row={row} />
      ))}
      {results.length === 0 && !search.hasNextPage && <p className={css.note}>{copy.searchNothing}</p>}
      <LoadMore query={search} label={copy.searchMore} className="flex justify-center pad-4" />
    </>
  );
}
