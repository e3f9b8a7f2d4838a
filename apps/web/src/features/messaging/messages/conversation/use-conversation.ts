import { TYPING_INTERVAL_MS } from "@lambda/contract/limits";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useStore } from "zustand";
import { errorStatusOf } from "../../../../api/error-body.ts";
import { trpc } from "../../../../api/trpc.ts";
import { refreshCounts } from "../live/refresh-queries.ts";
import { conversationsOf } from "./conversations.ts";
import { EMPTY_THREAD, newestUnread, type ThreadKey, threadSelector } from "./thread.ts";

/** Loads a conversation, marks its messages as read, and reports whether the other member is typing. */
export function useConversation(key: ThreadKey, account: number) {
  const conversations = useMemo(() => conversationsOf(account), [account]);
  const thread = useStore(conversations.threads, (threads) => threads[key] ?? EMPTY_THREAD);
  useEffect(() => {
    void conversations.open(key);
    return () => conversations.leave(key);
  }, [conversations, key]);
  const [shown, setShown] = useState({ key, upTo: 0 });
  useMarkRead(key, newestUnread(thread, account, shown.key === key ? shown.upTo : 0)?.id ?? 0);
  const onShown = useCallback(
    (id: number) => setShown((known) => (known.key === key && known.upTo >= id ? known : { key, upTo: id })),
    [key],
  );
  return {
    thread,
    /** Reports the newest message that was on the screen. */
    onShown,
    typing: useTyping(thread.lastTyped),
    retry: () => void conversations.load(key),
    loadOlder: () => conversations.loadOlder(key),
    removeMessage: (id: number) => conversations.removeMessage(key, id),
  };
}

/** Marks everything up to this message as read, once, while the page is visible. Tries until the server has answered. */
function useMarkRead(key: ThreadKey, newestUnreadId: number): void {
  const readUpTo = useRef({ key, id: 0 });
  const { mutate: markRead } = trpc.messages.read.useMutation({
    onSuccess: refreshCounts,
    retry: (_, error) => {
      const status = errorStatusOf(error) ?? 500;
      return status === 429 || status >= 500;
    },
  });
  useEffect(() => {
    const mark = () => {
      const last = readUpTo.current.key === key ? readUpTo.current.id : 0;
      if (newestUnreadId <= last || document.visibilityState !== "visible") return;
      readUpTo.current = { key, id: newestUnreadId };
      markRead({ ...threadSelector(key), upToMessageId: newestUnreadId });
    };
    mark();
    document.addEventListener("visibilitychange", mark);
    return () => document.removeEventListener("visibilitychange", mark);
  }, [newestUnreadId, key, markRead]);
}

/** True until twice the signaling interval has passed since the last signal. */
function useTyping(lastTyped: number): boolean {
  const [typing, setTyping] = useState(false);
  useEffect(() => {
    const left = lastTyped + 2 * TYPING_INTERVAL_MS - performance.now();
    setTyping(left > 0);
    if (left <= 0) return;
    const timer = window.setTimeout(() => setTyping(false), left);
    return () => window.clearTimeout(timer);
  }, [lastTyped]);
  return typing;
}
