import type { Message } from "@lambda/contract/messages";
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from "react";
import type { OutgoingMessage } from "../outbox/outbox.ts";
import type { Thread } from "./thread.ts";

/** The log follows new messages while it is this close to the bottom. */
const NEAR_PX = 80;
/** Older messages are loaded when the top is this close. */
const OLDER_PX = 600;

interface LogScrollOptions {
  readonly thread: Thread;
  readonly account: number;
  readonly waiting: readonly OutgoingMessage[];
  readonly onOlder: () => Promise<void>;
  readonly onShown: (id: number) => void;
}

/** Starts at the first unread message, follows new ones at the bottom, keeps its position when scrolled up, and loads older messages near the top. */
export function useLogScroll({ thread, account, waiting, onOlder, onShown }: LogScrollOptions) {
  const log = useRef<HTMLDivElement>(null);
  const { measure } = useKeptPosition(log, account, thread.messages, waiting);
  const [isScrolledUp, setIsScrolledUp] = useState(false);
  const loading = useRef(false);

  const reportShown = useEffectEvent(() => {
    const shown = log.current && newestShown(log.current, thread.messages);
    if (shown) onShown(shown.id);
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the log opens
  useLayoutEffect(() => {
    const element = log.current;
    const line = element?.querySelector("[data-unread-line]");
    if (!element || !line) return;
    const above = element.getBoundingClientRect().top - line.getBoundingClientRect().top;
    if (above <= 0) return;
    element.scrollTop -= above;
    measure();
    setIsScrolledUp(element.scrollTop < -NEAR_PX * 4);
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new message may be on the screen at once
  useEffect(() => reportShown(), [thread.messages]);

  const onScroll = async () => {
    const element = log.current;
    if (!element) return;
    measure();
    reportShown();
    setIsScrolledUp(element.scrollTop < -NEAR_PX * 4);
    const distanceToTop = element.scrollHeight - element.clientHeight + element.scrollTop;
    if (distanceToTop > OLDER_PX || loading.current || !thread.hasOlder) return;
    loading.current = true;
    // After a failure the next scroll tries again.
    await onOlder().catch(() => undefined);
    loading.current = false;
  };
  const top = thread.messages[0]?.id;
  // A short page may not fill the log, and then nothing scrolls.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs after each page, which may be short
  useEffect(() => {
    if (thread.hasOlder) void onScroll();
  }, [thread.hasOlder, top]);

  const jumpToNewest = () => {
    if (log.current) log.current.scrollTop = 0;
  };
  return { log, onScroll: () => void onScroll(), isScrolledUp, jumpToNewest };
}

/** The newest message whose upper edge is in view. At the bottom that is the last one, which needs no layout. */
function newestShown(log: HTMLElement, messages: readonly Message[]): Message | undefined {
  if (log.scrollTop > -NEAR_PX) return messages.at(-1);
  const { bottom } = log.getBoundingClientRect();
  const stops = [...log.querySelectorAll("[data-stop]")];
  return messages[stops.findLastIndex((stop) => stop.getBoundingClientRect().top < bottom)];
}

/**
 * The scroll position counts from the bottom, so a new message would move the text of a member who has scrolled up. At
 * the bottom nothing is measured, because measuring forces a layout.
 */
function useKeptPosition(
  log: React.RefObject<HTMLDivElement | null>,
  account: number,
  messages: readonly Message[],
  waiting: readonly OutgoingMessage[],
) {
  /** Scroll height while scrolled up; 0 at the bottom. */
  const height = useRef(0);
  const previousLast = useRef<number | string | undefined>(undefined);
  const last = waiting.at(-1)?.clientId ?? messages.at(-1)?.id;
  useLayoutEffect(() => {
    const element = log.current;
    if (element && height.current > 0) {
      const grown = element.scrollHeight - height.current;
      if (last !== previousLast.current) {
        const isOwn = waiting.length > 0 || messages.at(-1)?.senderProfileId === account;
        element.scrollTop = isOwn ? 0 : element.scrollTop - grown;
      }
      height.current = element.scrollHeight;
    }
    previousLast.current = last;
  });
  const measure = () => {
    const element = log.current;
    if (element) height.current = element.scrollTop < -NEAR_PX ? element.scrollHeight : 0;
  };
  return { measure };
}
