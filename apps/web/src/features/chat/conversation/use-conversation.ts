import { TYPING_EVERY_MS } from "@lambda/contract/limits";
import { useEffect, useMemo, useRef, useState } from "react";
import { trpc } from "../../../api/trpc.ts";
import { refreshCounts } from "../live/refresh-queries.ts";
import { conversationsOf, useThread } from "./conversations.ts";
import { newestUnread, type ThreadKey } from "./thread.ts";

/** One conversation: loads it, tells the server what was seen, and knows whether the other types. */
export function useConversation(key: ThreadKey, account: number) {
  const conversations = useMemo(() => conversationsOf(account), [account]);
  const thread = useThread(conversations, key);
  useEffect(() => {
    void conversations.load(key);
    return () => conversations.leave(key);
  }, [conversations, key]);
  useMarkRead(key, newestUnread(thread, account)?.id ?? 0);
  return {
    thread,
    typing: useTyping(thread.typingUntil),
    retry: () => void conversations.load(key),
    loadOlder: () => conversations.loadOlder(key),
    dropMessage: (id: number) => conversations.dropMessage(key, id),
  };
}

/** Tells the server once that everything up to this message was seen, while the page is in sight. */
function useMarkRead(key: ThreadKey, unread: number): void {
  const { mutate: read } = trpc.messages.read.useMutation({ onSuccess: refreshCounts });
  const readUpTo = useRef({ key, id: 0 });
  useEffect(() => {
    const mark = () => {
      const last = readUpTo.current.key === key ? readUpTo.current.id : 0;
      if (unread <= last || document.visibilityState !== "visible") return;
      readUpTo.current = { key, id: unread };
      const id = Number(key.slice(1));
      read({ ...(key.startsWith("p") ? { profileId: id } : { messageId: id }), upToMessageId: unread });
    };
    mark();
    document.addEventListener("visibilitychange", mark);
    return () => document.removeEventListener("visibilitychange", mark);
  }, [unread, key, read]);
}

/** True for twice the sending interval after the last sign of typing. */
function useTyping(since: number): boolean {
  const [typing, setTyping] = useState(false);
  useEffect(() => {
    const left = since + 2 * TYPING_EVERY_MS - Date.now();
    setTyping(left > 0);
    if (left <= 0) return;
    const timer = window.setTimeout(() => setTyping(false), left);
    return () => window.clearTimeout(timer);
  }, [since]);
  return typing;
}
