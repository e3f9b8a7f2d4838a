import type { Message } from "@lambda/contract/messages";
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import type { Outgoing } from "../outbox/outbox.ts";
import type { Thread } from "./thread.ts";

/** Within this many pixels of the newest message the log follows it. */
const NEAR_PX = 80;
/** Earlier messages are fetched when the top comes this near. */
const OLDER_PX = 600;

interface LogScrollOptions {
  readonly thread: Thread;
  readonly account: number;
  readonly waiting: readonly Outgoing[];
  readonly onOlder: () => Promise<void>;
}

/** Follows new messages at the bottom, stays where it is when read further up, and asks for earlier ones near the top. */
export function useLogScroll({ thread, account, waiting, onOlder }: LogScrollOptions) {
  const log = useRef<HTMLDivElement>(null);
  const { measure } = useKeptPosition(log, account, thread.messages, waiting);
  const [away, setAway] = useState(false);
  const loading = useRef(false);

  const onScroll = async () => {
    const element = log.current;
    if (!element) return;
    measure();
    setAway(element.scrollTop < -NEAR_PX * 4);
    const toTop = element.scrollHeight - element.clientHeight + element.scrollTop;
    if (toTop > OLDER_PX || loading.current || !thread.older) return;
    loading.current = true;
    // A page that did not come is asked for again by the next scroll.
    await onOlder().catch(() => undefined);
    loading.current = false;
  };
  const top = thread.messages[0]?.id;
  // A short page may leave room above without any scrolling.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each page that came may be such a one
  useEffect(() => {
    if (thread.older) void onScroll();
  }, [thread.older, top]);

  const jumpToNewest = () => {
    if (log.current) log.current.scrollTop = 0;
  };
  return { log, onScroll: () => void onScroll(), away, jumpToNewest };
}

/**
 * The scroll position counts from the bottom, so what is added there would push whoever reads further up. At the bottom nothing
 * is measured: that would have the page laid out before it is drawn.
 */
function useKeptPosition(
  log: React.RefObject<HTMLDivElement | null>,
  account: number,
  messages: readonly Message[],
  waiting: readonly Outgoing[],
) {
  /** Of the log while it is read further up; 0 at the bottom. */
  const height = useRef(0);
  const bottom = useRef<number | string | undefined>(undefined);
  const last = waiting.at(-1)?.clientId ?? messages.at(-1)?.id;
  useLayoutEffect(() => {
    const element = log.current;
    if (element && height.current > 0) {
      const grown = element.scrollHeight - height.current;
      if (last !== bottom.current) {
        const own = waiting.length > 0 || messages.at(-1)?.senderProfileId === account;
        element.scrollTop = own ? 0 : element.scrollTop - grown;
      }
      height.current = element.scrollHeight;
    }
    bottom.current = last;
  });
  const measure = () => {
    const element = log.current;
    if (element) height.current = element.scrollTop < -NEAR_PX ? element.scrollHeight : 0;
  };
  return { measure };
}
