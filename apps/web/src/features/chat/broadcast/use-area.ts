import { BROADCAST_REFETCH_MS, MESSAGES_PAGE_SIZE } from "@lambda/contract/limits";
import type { BroadcastMessage } from "@lambda/contract/messages";
import { useCallback, useEffect, useRef, useState } from "react";
import { errorCodeOf } from "../../../api/error-body.ts";
import { openLine } from "../../../api/socket.ts";
import { trpc } from "../../../api/trpc.ts";

/** The map chat around this member: asked every 15 s and on focus, and live while its line stands. */
export function useArea(account: number) {
  const utils = trpc.useUtils();
  const [older, setOlder] = useState<readonly BroadcastMessage[]>([]);
  /** SPEC's page counter: starts at 0, each load-more adds 1, and a page has 20 plus the counter. */
  const [page, setPage] = useState(0);
  const [end, setEnd] = useState(false);
  const isUp = useRef(false);
  const [loadingMore, setLoadingMore] = useState(false);
  const newest = trpc.messages.area.useQuery({}, { refetchInterval: BROADCAST_REFETCH_MS, refetchOnWindowFocus: true });
  const refresh = useCallback(() => void utils.messages.area.invalidate(), [utils]);
  const drop = useCallback(
    (id: number) => {
      const others = (posts: readonly BroadcastMessage[]) => posts.filter((post) => post.id !== id);
      setOlder(others);
      utils.messages.area.setData({}, (known) => known && { ...known, items: others(known.items) });
    },
    [utils],
  );

  // Who hides or is suspended is refused by the line too; the reading above finds out when that ends.
  const code = errorCodeOf(newest.error);
  const listening = account !== 0 && newest.isFetched && code !== "HIDING" && code !== "SUSPENDED";
  useEffect(() => {
    if (!listening) return;
    const line = openLine({
      path: "/ws/area",
      onUp: () => {
        // It was away: he may be elsewhere now, and what was taken back meanwhile was not heard.
        if (isUp.current) {
          setOlder([]);
          setPage(0);
          setEnd(false);
        }
        isUp.current = true;
        refresh();
      },
      // What a frame tells needs no question: a busy area would be asked by all of its listeners at once.
      onEvent: (event) => {
        if (event.type === "unsent") return drop(event.messageId);
        if (event.type !== "broadcast") return;
        const { message, senderProfileName, senderPicId } = event;
        utils.messages.area.setData({}, (known) => {
          if (!known) return known;
          const others = known.items.filter(({ id }) => id !== message.id);
          const items = [...others, { ...message, senderProfileName, senderPicId }];
          return { ...known, items: items.sort((a, b) => b.id - a.id) };
        });
      },
    });
    return () => line.close();
  }, [listening, refresh, drop, utils]);

  const first = newest.data?.items ?? [];
  const known = new Set(first.map((post) => post.id));
  const posts = [...first, ...older.filter((post) => !known.has(post.id))];

  const loadMore = async () => {
    setLoadingMore(true);
    try {
      const last = posts[posts.length - 1]?.id;
      const answer = await utils.messages.area.fetch({ beforeMessageId: last, size: MESSAGES_PAGE_SIZE + page + 1 });
      // What the first page pushes out as new ones come must not be lost between the two.
      setOlder([...posts, ...answer.items]);
      setPage(page + 1);
      setEnd(answer.nextCursor === null);
    } catch {
      // The button stays, and asks again.
    } finally {
      setLoadingMore(false);
    }
  };
  return {
    posts,
    pending: newest.isPending,
    error: newest.error,
    refresh,
    /** Takes one post off the screen, wherever it came from. */
    drop,
    loadMore,
    loadingMore,
    end: end || (newest.data?.nextCursor === null && older.length === 0),
  };
}
