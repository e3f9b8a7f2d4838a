import { Button } from "@lambda/ui/button";
import { Skeleton } from "@lambda/ui/skeleton";
import { useDeferredValue, useEffect, useState } from "react";
import { trpc } from "../../../api/trpc.ts";
import { useCopy } from "../../../format/i18n.ts";
import css from "../chat.module.css";
import { chatCopy } from "../copy.ts";
import { ConversationRow } from "./ConversationList.tsx";

/** Asked when the typing pauses, so that a word costs one search and not one a letter. */
const PAUSE_MS = 250;

/** Each request looks at a stretch of the history; the button looks further back. */
export function SearchResults({ query }: { query: string }) {
  const copy = useCopy(chatCopy);
  const [asked, setAsked] = useState(query);
  const [before, setBefore] = useState<number[]>([]);
  useEffect(() => {
    const timer = window.setTimeout(() => {
      setAsked(query);
      setBefore([]);
    }, PAUSE_MS);
    return () => window.clearTimeout(timer);
  }, [query]);
  const stretches = trpc.useQueries((ask) =>
    [undefined, ...before].map((beforeMessageId) => ask.messages.search({ query: asked, beforeMessageId })),
  );
  const shown = useDeferredValue(stretches.flatMap((stretch) => stretch.data?.items ?? []));
  const last = stretches[stretches.length - 1];
  if (last?.isPending && shown.length === 0) return <Skeleton shape="rows" count={4} label={copy.search} />;
  const next = last?.data?.nextCursor;
  return (
    <>
      {shown.map((row) => (
        <ConversationRow key={row.message.id} row={row} />
      ))}
      {shown.length === 0 && !next && <p className={css.note}>{copy.searchNothing}</p>}
      {next && (
        <div className={css.center}>
          <Button busy={last.isFetching} onClick={() => setBefore([...before, next])}>
            {copy.searchMore}
          </Button>
        </div>
      )}
    </>
  );
}
