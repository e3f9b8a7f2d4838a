import { BROADCAST_REFETCH_MS, LIVE_REFETCH_MS, MESSAGES_PAGE_SIZE } from "@lambda/contract/limits";
import type { BroadcastMessage } from "@lambda/contract/messages";
import { type InfiniteData, useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { getQueryKey } from "@trpc/react-query";
import { useEffect, useMemo, useRef, useState } from "react";
import { trpcClient } from "../../../../api/client.ts";
import { errorCodeOf } from "../../../../api/error-body.ts";
import { connectSocket } from "../../../../api/socket.ts";
import { type RouterOutputs, trpc } from "../../../../api/trpc.ts";

type Page = RouterOutputs["messages"]["area"];
type PageParam = { beforeMessageId?: number; size?: number };
type Pages = InfiniteData<Page, PageParam>;

const AREA_PAGES = [...getQueryKey(trpc.messages.area), "pages"];
/** Posts that were taken back, which a page that was read before may still bring. */
const removed = new Set<number>();

/** The map chat around this member: live while its socket is ready, otherwise polled every 15 s and on focus. */
export function useArea(account: number) {
  const client = useQueryClient();
  const [live, setLive] = useState(false);
  const area = useInfiniteQuery({
    queryKey: AREA_PAGES,
    queryFn: ({ pageParam }) => trpcClient.messages.area.query(pageParam),
    initialPageParam: {} as PageParam,
    // Each page is one post longer than the previous one.
    getNextPageParam: ({ nextCursor }, { length }) =>
      nextCursor === null ? null : { beforeMessageId: nextCursor, size: MESSAGES_PAGE_SIZE + length },
    refetchInterval: live ? LIVE_REFETCH_MS : BROADCAST_REFETCH_MS,
    // Even if the last response is not stale yet.
    refetchOnWindowFocus: "always",
  });
  const cache = useMemo(() => createAreaCache(client), [client]);
  // The socket rejects hidden and suspended members too; polling notices when that ends.
  const code = errorCodeOf(area.error);
  useAreaSocket(account !== 0 && area.isFetched && code !== "HIDING" && code !== "SUSPENDED", cache, setLive);
  return {
    posts: useMemo(
      () => area.data?.pages.flatMap(({ items }) => items).filter(({ id }) => !removed.has(id)) ?? [],
      [area.data],
    ),
    query: area,
    refresh: cache.refresh,
    removePost: cache.removePost,
  };
}

type AreaCache = ReturnType<typeof createAreaCache>;

function createAreaCache(client: ReturnType<typeof useQueryClient>) {
  const updatePages = (update: (posts: readonly BroadcastMessage[], page: number) => BroadcastMessage[]) =>
    client.setQueryData<Pages>(
      AREA_PAGES,
      (data) => data && { ...data, pages: data.pages.map((page, at) => ({ ...page, items: update(page.items, at) })) },
    );
  return {
    refresh: () => void client.invalidateQueries({ queryKey: AREA_PAGES }),
    /** Drops all but the newest page and fetches that again. */
    restart: () => {
      client.setQueryData<Pages>(
        AREA_PAGES,
        (data) => data && { pages: data.pages.slice(0, 1), pageParams: data.pageParams.slice(0, 1) },
      );
      void client.invalidateQueries({ queryKey: AREA_PAGES });
    },
    removePost: (id: number) => {
      removed.add(id);
      updatePages((posts) => posts.filter((post) => post.id !== id));
    },
    addPost: (post: BroadcastMessage) => {
      updatePages((posts, page) => {
        const others = posts.filter(({ id }) => id !== post.id);
        return page === 0 ? [...others, post].sort((a, b) => b.id - a.id) : others;
      });
      // What is being read may have been read before, and would replace it.
      if (client.isFetching({ queryKey: AREA_PAGES }) > 0) void client.invalidateQueries({ queryKey: AREA_PAGES });
    },
  };
}

/** Applies events to the cache without refetching: in a busy area every listener would refetch for each message. */
function useAreaSocket(
  isListening: boolean,
  { refresh, restart, removePost, addPost }: AreaCache,
  setLive: (isReady: boolean) => void,
): void {
  const wasReady = useRef(false);
  useEffect(() => {
    if (!isListening) return;
    const socket = connectSocket({
      path: "/ws/area",
      onReady: () => {
        setLive(true);
        // While disconnected the member may have moved, and unsent messages went unnoticed.
        if (wasReady.current) restart();
        else refresh();
        wasReady.current = true;
      },
      onLost: () => setLive(false),
      onEvent: (event) => {
        if (event.type === "unsent") removePost(event.messageId);
        if (event.type !== "broadcast") return;
        const { message, senderProfileName, senderPicId } = event;
        addPost({ ...message, senderProfileName, senderPicId });
      },
    });
    return () => socket.close();
  }, [isListening, refresh, restart, removePost, addPost, setLive]);
}
