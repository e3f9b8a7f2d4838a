import { TYPING_EVERY_MS } from "@lambda/contract/limits";
import { useEffect, useRef, useState } from "react";
import { trpc } from "../../../api/trpc.ts";
import { refreshCounts } from "../live.ts";
import { newestUnread, type ThreadKey } from "./thread.ts";
import { leaveThread, loadThread, openThreads, useThread } from "./threads.ts";

/** One conversation: loads it, tells the server what was seen, and knows whether he types. */
export function useConversation(key: ThreadKey, account: number) {
  const thread = useThread(key);
  const [error, setError] = useState<unknown>();
  const [tries, setTries] = useState(0);
  const { mutate: read } = trpc.messages.read.useMutation({ onSuccess: refreshCounts });
  const readUpTo = useRef(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: `tries` asks for the same again
  useEffect(() => {
    setError(undefined);
    readUpTo.current = 0;
    let current = true;
    // The live connection loads later than a screen may; the first to come opens.
    openThreads(account);
    loadThread(key).catch((failure: unknown) => current && setError(failure));
    return () => {
      current = false;
      leaveThread(key);
    };
  }, [key, account, tries]);

  const unread = newestUnread(thread, account)?.id ?? 0;
  useEffect(() => {
    const mark = () => {
      if (unread === 0 || unread <= readUpTo.current || document.visibilityState !== "visible") return;
      readUpTo.current = unread;
      const id = Number(key.slice(1));
      read({ ...(key.startsWith("p") ? { profileId: id } : { messageId: id }), upToMessageId: unread });
    };
    mark();
    document.addEventListener("visibilitychange", mark);
    return () => document.removeEventListener("visibilitychange", mark);
  }, [unread, key, read]);

  return { thread, error, retry: () => setTries(tries + 1), typing: useTyping(thread.typingUntil) };
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
