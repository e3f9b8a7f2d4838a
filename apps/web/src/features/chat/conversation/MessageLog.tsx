import { Bubble } from "@lambda/ui/bubble";
import { DateMarker } from "@lambda/ui/date-marker";
import { Icon } from "@lambda/ui/icon";
import { IconButton } from "@lambda/ui/icon-button";
import {
  type FocusEvent,
  Fragment,
  type KeyboardEvent,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { useCopy, useLocale } from "../../../format/i18n.ts";
import { shownName } from "../../../format/shown-name.ts";
import { dayName } from "../../../format/time.ts";
import css from "../chat.module.css";
import { chatCopy } from "../copy.ts";
import type { Outgoing } from "../outbox/outbox.ts";
import { PartnerAvatar } from "../PartnerAvatar.tsx";
import { type MessageActs, MessageBubble } from "./MessageBubble.tsx";
import { layOut, type Thread } from "./thread.ts";
import { WaitingBubble } from "./WaitingBubble.tsx";

interface MessageLogProps {
  thread: Thread;
  account: number;
  waiting: readonly Outgoing[];
  typing: boolean;
  onOlder: () => Promise<void>;
  acts: Omit<MessageActs, "toggle">;
}

/** Within this many pixels of the newest message the log follows it. */
const NEAR_PX = 80;
/** Earlier messages are fetched when the top comes this near. */
const OLDER_PX = 600;

/** The conversation, oldest at the top. Follows new messages at the bottom, and stays where it is when read further up. */
export function MessageLog({ thread, account, waiting, typing, onOlder, acts }: MessageLogProps) {
  const copy = useCopy(chatCopy);
  const [locale] = useLocale();
  const [open, setOpen] = useState<number>();
  const [away, setAway] = useState(false);
  const log = useRef<HTMLDivElement>(null);
  const loading = useRef(false);
  /** Of the log while he reads further up; 0 at the bottom. */
  const height = useRef(0);
  const bottom = useRef<number | string | undefined>(undefined);
  const { messages, other, unreadFrom } = thread;

  // The scroll position counts from the bottom: what is added there would push him who reads further up. Whoever is at the
  // bottom needs no measuring, which would have the page laid out before it is drawn.
  const last = waiting[waiting.length - 1]?.clientId ?? messages[messages.length - 1]?.id;
  useLayoutEffect(() => {
    const element = log.current;
    if (element && height.current > 0) {
      const grown = element.scrollHeight - height.current;
      if (last !== bottom.current) {
        const own = waiting.length > 0 || messages[messages.length - 1]?.senderProfileId === account;
        element.scrollTop = own ? 0 : element.scrollTop - grown;
      }
      height.current = element.scrollHeight;
    }
    bottom.current = last;
  });

  const onScroll = async () => {
    const element = log.current;
    if (!element) return;
    height.current = element.scrollTop < -NEAR_PX ? element.scrollHeight : 0;
    setAway(element.scrollTop < -NEAR_PX * 4);
    const toTop = element.scrollHeight - element.clientHeight + element.scrollTop;
    if (toTop > OLDER_PX || loading.current || !thread.older) return;
    loading.current = true;
    // A page that did not come is asked for again by the next scroll.
    await onOlder().catch(() => undefined);
    loading.current = false;
  };
  const top = messages[0]?.id;
  // A short page may leave room above without any scrolling.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each page that came may be such a one
  useEffect(() => {
    if (thread.older) void onScroll();
  }, [thread.older, top]);

  const unreadAt = unreadFrom === null ? -1 : messages.findIndex((message) => message.id >= unreadFrom);
  const places = useMemo(() => layOut(messages, unreadAt), [messages, unreadAt]);
  const avatar = useMemo(() => <PartnerAvatar other={other && { ...other, online: false }} size={36} />, [other]);
  // Tab enters the log at its newest bubble; from there arrow keys go through it, one stop for each message.
  const [visited, setVisited] = useState<number>();
  const stop = visited ?? messages[messages.length - 1]?.id;
  const stopsOf = (element: HTMLElement) => [...element.querySelectorAll<HTMLElement>("[data-stop]")];
  const visit = (event: FocusEvent<HTMLDivElement>) =>
    setVisited(messages[stopsOf(event.currentTarget).indexOf(event.target)]?.id);
  const leave = (event: FocusEvent<HTMLDivElement>) => {
    if (!event.currentTarget.contains(event.relatedTarget)) setVisited(undefined);
  };
  const move = (event: KeyboardEvent<HTMLDivElement>) => {
    const all = stopsOf(event.currentTarget);
    const at = all.indexOf(event.target as HTMLElement);
    const to = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: all.length - 1 }[event.key];
    if (at < 0 || to === undefined) return;
    event.preventDefault();
    all[to]?.focus();
  };
  const bubbleActs = useMemo<MessageActs>(
    () => ({
      ...acts,
      toggle: (id) => setOpen((before) => (before === id ? undefined : id)),
    }),
    [acts],
  );
  return (
    <div className={css.logFrame}>
      <div
        ref={log}
        className={css.log}
        onScroll={() => void onScroll()}
        onFocus={visit}
        onBlur={leave}
        onKeyDown={move}
        role="log"
        // What comes is announced by itself (Heard): earlier messages, loaded above, are no news.
        aria-live="off"
        aria-label={copy.messages}
      >
        <div className={css.said}>
          {thread.older && <p className={css.note}>{copy.older}</p>}
          {messages.map((message, at) => {
            const { place = "only", newDay = false } = places[at] ?? {};
            const own = message.senderProfileId === account;
            return (
              <Fragment key={message.id}>
                {newDay && (
                  <DateMarker dateTime={message.tsCreated}>{dayName(message.tsCreated, locale, copy)}</DateMarker>
                )}
                {at === unreadAt && <div className={css.unreadLine}>{copy.newMessages}</div>}
                {message.sentToMany && !own && (
                  <span className={css.mark}>
                    <Icon name="warning" size={16} />
                    {copy.sentToMany}
                  </span>
                )}
                <MessageBubble
                  message={message}
                  tabStop={message.id === stop}
                  own={own}
                  place={place}
                  otherName={other ? shownName(other.profileName) : copy.away}
                  avatar={avatar}
                  open={open === message.id}
                  reportable={other !== null}
                  acts={bubbleActs}
                />
              </Fragment>
            );
          })}
          {waiting.map((item) => (
            <WaitingBubble key={item.clientId} item={item} />
          ))}
          {typing && (
            <Bubble avatar={avatar}>
              <span className={css.typing} aria-hidden="true">
                <i />
                <i />
                <i />
              </span>
            </Bubble>
          )}
        </div>
      </div>
      {away && (
        <span className={css.jump}>
          <IconButton
            icon="chevron-down"
            tone="raised"
            label={copy.jump}
            onClick={() => {
              if (log.current) log.current.scrollTop = 0;
            }}
          />
        </span>
      )}
    </div>
  );
}
