import { BROADCAST_REFETCH_MS, LIVE_REFETCH_MS, MESSAGES_PAGE_SIZE } from "@lambda/contract/limits";
import type { BroadcastMessage } from "@lambda/contract/messages";
import { type InfiniteData, useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { getQueryKey } from "@trpc/react-query";
import { useEffect, useMemo, useRef, useState } from "react";
import { errorCodeOf } from "../../../api/error-body.ts";
import { fetchArea } from "../../../api/message-calls.ts";
import { connectSocket } from "../../../api/socket.ts";
import { trpc } from "../../../api/trpc.ts";

type Page = Awaited<ReturnType<typeof fetchArea>>;
type PageParam = { beforeMessageId?: number; size?: number };
type Pages = InfiniteData<Page, PageParam>;

const AREA_PAGES = [...getQueryKey(trpc.messages.area), "pages"];

/** The map chat around this member: asked every 15 s and on focus, or live while its socket is ready. */
export function useArea(account: number) {
  const client = useQueryClient();
  const [live, setLive] = useState(false);
  const area = useInfiniteQuery({
    queryKey: AREA_PAGES,
    queryFn: ({ pageParam }) => fetchArea(pageParam),
    initialPageParam: {} as PageParam,
    // Each page is one post longer than the page before it.
    getNextPageParam: ({ nextCursor }, { length }) =>
      nextCursor === null ? null : { beforeMessageId: nextCursor, size: MESSAGES_PAGE_SIZE + length },
    refetchInterval: live ? LIVE_REFETCH_MS : BROADCAST_REFETCH_MS,
    // However young the last answer is.
    refetchOnWindowFocus: "always",
  });
  const changes = useMemo(() => changesOf(client), [client]);
  // The socket refuses hiding and suspended members too; the query above finds out when that ends.
  const code = errorCodeOf(area.error);
  useAreaSocket(account !== 0 && area.isFetched && code !== "HIDING" && code !== "SUSPENDED", changes, setLive);
  return {
    posts: useMemo(() => area.data?.pages.flatMap(({ items }) => items) ?? [], [area.data]),
    pending: area.isPending,
    error: area.error,
    refresh: changes.refresh,
    drop: changes.drop,
    loadMore: () => void area.fetchNextPage(),
    loadingMore: area.isFetchingNextPage,
    end: !area.hasNextPage,
  };
}

type Changes = ReturnType<typeof changesOf>;

function changesOf(client: ReturnType<typeof useQueryClient>) {
  const change = (how: (posts: readonly BroadcastMessage[], page: number) => BroadcastMessage[]) =>
    client.setQueryData<Pages>(
      AREA_PAGES,
      (known) => known && { ...known, pages: known.pages.map((page, at) => ({ ...page, items: how(page.items, at) })) },
    );
  return {
    refresh: () => void client.invalidateQueries({ queryKey: AREA_PAGES }),
    /** Forgets all but the newest page, and reads that anew. */
    restart: () => {
      client.setQueryData<Pages>(
        AREA_PAGES,
        (known) => known && { pages: known.pages.slice(0, 1), pageParams: known.pageParams.slice(0, 1) },
      );
      void client.invalidateQueries({ queryKey: AREA_PAGES });
    },
    /** Takes one post off the screen, whichever page it is on. */
    drop: (id: number) => void change((posts) => posts.filter((post) => post.id !== id)),
    add: (post: BroadcastMessage) =>
      void change((posts, page) => {
        const others = posts.filter(({ id }) => id !== post.id);
        return page === 0 ? [...others, post].sort((a, b) => b.id - a.id) : others;
      }),
  };
}

/** What an event carries needs no question: a busy area would be asked by all of its listeners at once. */
function useAreaSocket(
  listening: boolean,
  { refresh, restart, drop, add }: Changes,
  setLive: (isReady: boolean) => void,
): void {
  const wasReady = useRef(false);
  useEffect(() => {
    if (!listening) return;
    const socket = connectSocket({
      path: "/ws/area",
      onReady: () => {
        setLive(true);
        // After an interruption the member may be elsewhere, and may have missed what was taken back.
        if (wasReady.current) restart();
        else refresh();
        wasReady.current = true;
      },
      onLost: () => setLive(false),
      onEvent: (event) => {
        if (event.type === "unsent") drop(event.messageId);
        if (event.type !== "broadcast") return;
        const { message, senderProfileName, senderPicId } = event;
        add({ ...message, senderProfileName, senderPicId });
      },
    });
    return () => socket.close();
  }, [listening, refresh, restart, drop, add, setLive]);
}
