import { BROADCAST_REFETCH_MS, LIVE_REFETCH_MS, MESSAGES_PAGE_SIZE } from "@lambda/contract/limits";
import type { BroadcastMessage } from "@lambda/contract/messages";
import { type InfiniteData, type QueryClient, useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { getQueryKey } from "@trpc/react-query";
import { useEffect, useMemo, useReducer, useRef, useState } from "react";
import { trpcClient } from "../../../../api/client.ts";
import { errorCodeOf } from "../../../../api/error-body.ts";
import { connectSocket } from "../../../../api/socket.ts";
import { type RouterOutputs, trpc } from "../../../../api/trpc.ts";

/** `readAt`: when its read began. */
type Page = RouterOutputs["messages"]["area"] & { readonly readAt: number };
type PageParam = { beforeMessageId?: number; size?: number };
type Pages = InfiniteData<Page, PageParam>;

const AREA_PAGES = [...getQueryKey(trpc.messages.area), "pages"];
/** Posts that were taken back, which a page that was read before may still bring. */
const removed = new Set<number>();
/** Posts that the socket brought, and when. A read that began before may lack them. */
const arrived = new Map<number, { readonly post: BroadcastMessage; readonly at: number }>();

/** The map chat around this member: live while its socket is ready, otherwise polled every 15 s and on focus. */
export function useArea(account: number) {
  const client = useQueryClient();
  const [live, setLive] = useState(false);
  const [, rerender] = useReducer((count: number) => count + 1, 0);
  const area = useInfiniteQuery({
    queryKey: AREA_PAGES,
    queryFn: async ({ pageParam }): Promise<Page> => {
      const readAt = performance.now();
      return { ...(await trpcClient.messages.area.query(pageParam)), readAt };
    },
    initialPageParam: {} as PageParam,
    // Each page is one post longer than the previous one.
    getNextPageParam: ({ nextCursor }, { length }) =>
      nextCursor === null ? null : { beforeMessageId: nextCursor, size: MESSAGES_PAGE_SIZE + length },
    refetchInterval: live ? LIVE_REFETCH_MS : BROADCAST_REFETCH_MS,
    // Even if the last response is not stale yet.
    refetchOnWindowFocus: "always",
  });
  const cache = useMemo(() => createAreaCache(client, rerender), [client]);
  // The socket rejects hidden and suspended members too; polling notices when that ends.
  const code = errorCodeOf(area.error);
  useAreaSocket(account !== 0 && area.isFetched && code !== "HIDING" && code !== "SUSPENDED", cache, setLive);
  return {
    posts: listPosts(area.data?.pages),
    query: area,
    refresh: cache.refresh,
    removePost: cache.removePost,
  };
}

/** The posts of the pages, and those that came since the newest page was read. */
function listPosts(pages: readonly Page[] = []): BroadcastMessage[] {
  const late = [...arrived.values()].filter(({ at }) => at >= (pages[0]?.readAt ?? Number.POSITIVE_INFINITY));
  const posts = new Map(
    [...pages.flatMap(({ items }) => items), ...late.map(({ post }) => post)].map((post) => [post.id, post]),
  );
  return [...posts.values()].filter(({ id }) => !removed.has(id)).sort((a, b) => b.id - a.id);
}

type AreaCache = ReturnType<typeof createAreaCache>;

function createAreaCache(client: QueryClient, rerender: () => void) {
  const refresh = () => void client.invalidateQueries({ queryKey: AREA_PAGES });
  return {
    refresh,
    /** Drops all but the newest page and fetches that again. */
    restart: () => {
      client.setQueryData<Pages>(
        AREA_PAGES,
        (data) => data && { pages: data.pages.slice(0, 1), pageParams: data.pageParams.slice(0, 1) },
      );
      refresh();
    },
    removePost: (id: number) => {
      removed.add(id);
      rerender();
    },
    addPost: (post: BroadcastMessage) => {
      const readAt = client.getQueryData<Pages>(AREA_PAGES)?.pages[0]?.readAt ?? 0;
      for (const [id, { at }] of arrived) if (at < readAt) arrived.delete(id);
      arrived.set(post.id, { post, at: performance.now() });
      rerender();
    },
  };
}

/** Applies events without refetching: in a busy area every listener would refetch for each message. */
function useAreaSocket(
  isListening: boolean,
  { refresh, restart, removePost, addPost }: AreaCache,
  setLive: (isReady: boolean) => void,
): void {
  const wasReady = useRef(false);
  useEffect(() => {
    if (!isListening) return;
    const socket = connectSocket({
      path: () => "/ws/area",
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
