import { Button } from "@lambda/ui/button";
import { Skeleton } from "@lambda/ui/skeleton";
import { useInfiniteQuery } from "@tanstack/react-query";
import { getQueryKey } from "@trpc/react-query";
import { useDeferredValue, useEffect, useState } from "react";
import { searchMessages } from "../../../api/message-calls.ts";
import { trpc } from "../../../api/trpc.ts";
import { useCopy } from "../../../format/i18n.ts";
import css from "../chat.module.css";
import { chatCopy } from "../copy.ts";
import { ConversationRow } from "./ConversationRow.tsx";

/** Asked when the typing pauses, so that a word costs one search and not one a letter. */
const PAUSE_MS = 250;

/** Each page looks at a part of the history; the button looks further back. */
export default function SearchResults({ query }: { query: string }) {
  const copy = useCopy(chatCopy);
  const asked = usePaused(query);
  const search = useInfiniteQuery({
    queryKey: [...getQueryKey(trpc.messages.search), asked],
    queryFn: ({ pageParam }) => searchMessages({ query: asked, beforeMessageId: pageParam }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
  const shown = useDeferredValue(search.data?.pages.flatMap(({ items }) => items) ?? []);
  if (search.isPending && shown.length === 0) return <Skeleton shape="rows" count={4} label={copy.search} />;
  return (
    <>
      {shown.map((row) => (
        <ConversationRow key={row.message.id} row={row} />
      ))}
      {shown.length === 0 && !search.hasNextPage && <p className={css.note}>{copy.searchNothing}</p>}
      {search.hasNextPage && (
        <div className={css.center}>
          <Button busy={search.isFetching} onClick={() => void search.fetchNextPage()}>
            {copy.searchMore}
          </Button>
        </div>
      )}
    </>
  );
}

function usePaused(query: string): string {
  const [asked, setAsked] = useState(query);
  useEffect(() => {
    const timer = window.setTimeout(() => setAsked(query), PAUSE_MS);
    return () => window.clearTimeout(timer);
  }, [query]);
  return asked;
}
