import type { Message } from "@lambda/contract/messages";
import { Bubble } from "@lambda/ui/bubble";
import { DateMarker } from "@lambda/ui/date-marker";
import { Icon } from "@lambda/ui/icon";
import { IconButton } from "@lambda/ui/icon-button";
import { Fragment, useEffect, useLayoutEffect, useRef, useState } from "react";
import { useCopy, useLocale } from "../../../lib/i18n.ts";
import css from "../chat.module.css";
import { chatCopy, dayName, shownName } from "../copy.ts";
import type { Outgoing } from "../outbox.ts";
import { layOut, type Thread } from "../thread.ts";
import { type BubbleActs, MessageBubble } from "./MessageBubble.tsx";
import { PartnerAvatar } from "./PartnerAvatar.tsx";
import { WaitingBubble } from "./WaitingBubble.tsx";

interface MessageLogProps {
  thread: Thread;
  account: number;
  waiting: readonly Outgoing[];
  typing: boolean;
  onOlder: () => Promise<void>;
  actsFor: (message: Message) => BubbleActs;
}

/** Within this many pixels of the newest message the log follows it. */
const NEAR_PX = 80;
/** Earlier messages are fetched when the top comes this near. */
const OLDER_PX = 600;

/** The conversation, oldest at the top. Follows new messages at the bottom, and stays where it is when read further up. */
export function MessageLog({ thread, account, waiting, typing, onOlder, actsFor }: MessageLogProps) {
  const copy = useCopy(chatCopy);
  const [locale] = useLocale();
  const [open, setOpen] = useState<number>();
  const [away, setAway] = useState(false);
  const log = useRef<HTMLDivElement>(null);
  const loading = useRef(false);
  const height = useRef(0);
  const bottom = useRef<number | string | undefined>(undefined);
  const { messages, other, unreadFrom } = thread;

  // The scroll position counts from the bottom: what is added there would push him who reads further up.
  const last = waiting[waiting.length - 1]?.clientId ?? messages[messages.length - 1]?.id;
  useLayoutEffect(() => {
    const element = log.current;
    if (!element) return;
    const grown = element.scrollHeight - height.current;
    if (height.current > 0 && last !== bottom.current && element.scrollTop < -NEAR_PX) {
      const own = waiting.length > 0 || messages[messages.length - 1]?.senderProfileId === account;
      element.scrollTop = own ? 0 : element.scrollTop - grown;
    }
    height.current = element.scrollHeight;
    bottom.current = last;
  });

  const onScroll = async () => {
    const element = log.current;
    if (!element) return;
    setAway(element.scrollTop < -NEAR_PX * 4);
    const toTop = element.scrollHeight - element.clientHeight + element.scrollTop;
    if (toTop > OLDER_PX || loading.current || !thread.older) return;
    loading.current = true;
    // A page that did not come is asked for again by the next scroll.
    await onOlder().catch(() => undefined);
    loading.current = false;
  };
  // A short first page may leave room above without any scrolling.
  useEffect(() => {
    void onScroll();
  });

  const unreadAt = unreadFrom === null ? -1 : messages.findIndex((message) => message.id >= unreadFrom);
  const places = layOut(messages, unreadAt);
  return (
    <div className={css.logFrame}>
      <div
        ref={log}
        className={css.log}
        onScroll={() => void onScroll()}
        role="log"
        aria-label={copy.message}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
        tabIndex={0}
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
                  own={own}
                  place={place}
                  otherName={other ? shownName(other.profileName) : copy.away}
                  avatar={<PartnerAvatar other={other && { ...other, online: false }} size={36} />}
                  open={open === message.id}
                  onToggle={() => setOpen(open === message.id ? undefined : message.id)}
                  {...actsFor(message)}
                />
              </Fragment>
            );
          })}
          {waiting.map((item) => (
            <WaitingBubble key={item.clientId} item={item} />
          ))}
          {typing && (
            <Bubble avatar={<PartnerAvatar other={other && { ...other, online: false }} size={36} />}>
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
