import { CONVERSATIONS_PAGE_SIZE, CONVERSATIONS_REFETCH_MS } from "@lambda/contract/limits";
import type { Conversation } from "@lambda/contract/messages";
import { Badge } from "@lambda/ui/badge";
import { Button } from "@lambda/ui/button";
import { EmptyState } from "@lambda/ui/empty-state";
import { ErrorState } from "@lambda/ui/error-state";
import { Icon } from "@lambda/ui/icon";
import { ListRow } from "@lambda/ui/list-row";
import { Skeleton } from "@lambda/ui/skeleton";
import { useState } from "react";
import { errorText } from "../../../api/error-text.ts";
import { trpc } from "../../../api/trpc.ts";
import { useCopy, useLocale } from "../../../format/i18n.ts";
import { shownName } from "../../../format/shown-name.ts";
import { shortTime } from "../../../format/time.ts";
import { useSession } from "../../../session/session.ts";
import css from "../chat.module.css";
import { chatCopy, contentOf } from "../copy.ts";
import { PartnerAvatar } from "../PartnerAvatar.tsx";
import { SearchResults } from "./SearchResults.tsx";

type Row = Omit<Conversation, "unread"> & { unread?: number };

function hrefOf({ other, message }: Row): string {
  return other ? `/chat/personal?with=${other.profileId}` : `/chat/personal?of=${message.id}`;
}

export function ConversationRow({ row, current }: { row: Row; current?: boolean }) {
  const copy = useCopy(chatCopy);
  const [locale] = useLocale();
  const { profileId } = useSession();
  const { other, message, unread = 0 } = row;
  return (
    <ListRow
      href={hrefOf(row)}
      current={current ?? false}
      leading={<PartnerAvatar other={other} size={52} onlineLabel={copy.online} />}
      title={other ? shownName(other.profileName) : copy.away}
      text={`${message.senderProfileId === profileId ? copy.you : ""}${contentOf(message, copy)}`}
      time={shortTime(message.tsCreated, locale)}
      dateTime={message.tsCreated}
      unread={unread > 0}
      mark={unread > 0 ? <Badge count={unread} label={copy.unread(unread)} /> : undefined}
    />
  );
}

/** The latest message of each pair, newest first, twenty a page; and the search in all of them. */
export function ConversationList({ current }: { current: { with?: number; of?: number } }) {
  const copy = useCopy(chatCopy);
  const utils = trpc.useUtils();
  const [query, setQuery] = useState("");
  const [older, setOlder] = useState<Conversation[]>([]);
  const [end, setEnd] = useState(false);
  const [busy, setBusy] = useState(false);
  const list = trpc.messages.conversations.useQuery({}, { refetchInterval: CONVERSATIONS_REFETCH_MS });

  const newest = list.data?.items ?? [];
  const nameOf = (row: Row) => row.other?.profileId ?? `m${row.message.id}`;
  const known = new Set(newest.map(nameOf));
  const rows = [...newest, ...older.filter((row) => !known.has(nameOf(row)))];
  const more = newest.length === CONVERSATIONS_PAGE_SIZE && !end;

  const loadMore = async () => {
    setBusy(true);
    try {
      const last = rows[rows.length - 1]?.message.id;
      const page = await utils.messages.conversations.fetch({ beforeMessageId: last });
      setOlder([...rows.slice(newest.length), ...page.items]);
      setEnd(page.nextCursor === null);
    } catch {
      // The button stays, and asks again.
    } finally {
      setBusy(false);
    }
  };

  if (list.isPending) return <Skeleton shape="rows" count={8} label={copy.loading} />;
  if (list.isError && rows.length === 0) {
    return (
      <ErrorState
        title={copy.failedToLoad}
        text={errorText(list.error)}
        retryLabel={copy.tryAgain}
        onRetry={() => void list.refetch()}
        retrying={list.isFetching}
      />
    );
  }
  if (rows.length === 0) {
    return (
      <EmptyState
        figure="hello"
        title={copy.noConversations}
        text={copy.noConversationsHint}
        action={
          <Button variant="primary" href="/search/tile">
            {copy.findMen}
          </Button>
        }
      />
    );
  }
  return (
    <>
      <div className={css.search}>
        <label className={css.searchField}>
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
      <div className={css.rows}>
        {query.trim().length >= 2 ? (
          <SearchResults query={query.trim()} />
        ) : (
          <>
            {rows.map((row) => (
              <ConversationRow
                key={nameOf(row)}
                row={row}
                current={row.other ? row.other.profileId === current.with : row.message.id === current.of}
              />
            ))}
            {more && (
              <div className={css.center}>
                <Button busy={busy} onClick={() => void loadMore()}>
                  {copy.loadMore}
                </Button>
              </div>
            )}
          </>
        )}
      </div>
    </>
  );
}
