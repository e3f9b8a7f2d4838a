import type { Message } from "@lambda/contract/messages";
import { Bubble } from "@lambda/ui/bubble";
import { DateMarker } from "@lambda/ui/date-marker";
import { Icon } from "@lambda/ui/icon";
import { IconButton } from "@lambda/ui/icon-button";
import { Fragment, type ReactNode, useMemo, useState } from "react";
import { useCopy, useLocale } from "../../../format/i18n.ts";
import { shownName } from "../../../format/shown-name.ts";
import { dayName } from "../../../format/time.ts";
import css from "../chat.module.css";
import { chatCopy } from "../copy.ts";
import type { Outgoing } from "../outbox/outbox.ts";
import { PartnerAvatar } from "../PartnerAvatar.tsx";
import { type MessageActs, MessageBubble } from "./MessageBubble.tsx";
import { luresIn } from "./newcomer-marks.ts";
import { groupMessages, type Thread } from "./thread.ts";
import { useLogScroll } from "./use-log-scroll.ts";
import { useMessageFocus } from "./use-message-focus.ts";
import { WaitingBubble } from "./WaitingBubble.tsx";

interface MessageLogProps {
  thread: Thread;
  account: number;
  waiting: readonly Outgoing[];
  typing: boolean;
  onOlder: () => Promise<void>;
  acts: Omit<MessageActs, "toggle">;
}

/** The conversation, oldest at the top. */
export function MessageLog({ thread, account, waiting, typing, onOlder, acts }: MessageLogProps) {
  const copy = useCopy(chatCopy);
  const { log, onScroll, away, jumpToNewest } = useLogScroll({ thread, account, waiting, onOlder });
  const { tabStop, handlers } = useMessageFocus(thread.messages);
  const { other } = thread;
  const avatar = useMemo(() => <PartnerAvatar other={other && { ...other, online: false }} size={36} />, [other]);
  return (
    <div className={css.logFrame}>
      <div
        ref={log}
        className={css.log}
        onScroll={onScroll}
        {...handlers}
        role="log"
        // NewMessageAnnouncer reads out what comes: earlier messages, loaded above, are not new.
        aria-live="off"
        aria-label={copy.messages}
      >
        <div className={css.messages}>
          {thread.older && <p className={css.note}>{copy.older}</p>}
          <Messages
            thread={thread}
            account={account}
            wrote={waiting.length > 0}
            tabStop={tabStop}
            avatar={avatar}
            acts={acts}
          />
          {waiting.map((item) => (
            <WaitingBubble key={item.clientId} item={item} account={account} />
          ))}
          {typing && <TypingBubble avatar={avatar} />}
        </div>
      </div>
      {away && (
        <span className={css.jump}>
          <IconButton icon="chevron-down" tone="raised" label={copy.jump} onClick={jumpToNewest} />
        </span>
      )}
    </div>
  );
}

interface MessagesProps extends Pick<MessageLogProps, "thread" | "account" | "acts"> {
  tabStop: number | undefined;
  avatar: ReactNode;
  /** A message of the reader's own waits to go out. */
  wrote: boolean;
}

function Messages({ thread, account, wrote, tabStop, avatar, acts }: MessagesProps) {
  const copy = useCopy(chatCopy);
  const [open, setOpen] = useState<number>();
  const { messages, other, unreadFrom } = thread;
  const unreadAt = unreadFrom === null ? -1 : messages.findIndex((message) => message.id >= unreadFrom);
  const groups = useMemo(() => groupMessages(messages, unreadAt), [messages, unreadAt]);
  const bubbleActs = useMemo<MessageActs>(
    () => ({
      ...acts,
      toggle: (id) => setOpen((before) => (before === id ? undefined : id)),
    }),
    [acts],
  );
  const known = wrote || messages.some((message) => message.senderProfileId === account);
  return messages.map((message, at) => {
    const { edge = "only", newDay = false } = groups[at] ?? {};
    const own = message.senderProfileId === account;
    return (
      <Fragment key={message.id}>
        <MessageMarks message={message} own={own} known={known} newDay={newDay} firstUnread={at === unreadAt} />
        <MessageBubble
          message={message}
          tabStop={message.id === tabStop}
          own={own}
          edge={edge}
          otherName={other ? shownName(other.profileName) : copy.away}
          avatar={avatar}
          open={open === message.id}
          reportable={other !== null}
          known={known}
          acts={bubbleActs}
        />
      </Fragment>
    );
  });
}

interface MessageMarksProps {
  message: Message;
  own: boolean;
  /** The reader wrote to its sender. */
  known: boolean;
  newDay: boolean;
  firstUnread: boolean;
}

/** What stands above a message: its day, the line between seen and new, the warning about a text sent to many, and what to know of a newcomer's link or number. */
function MessageMarks({ message, own, known, newDay, firstUnread }: MessageMarksProps) {
  const copy = useCopy(chatCopy);
  const [locale] = useLocale();
  const lures = own || known ? undefined : luresIn(message.bodyText);
  return (
    <>
      {newDay && <DateMarker dateTime={message.tsCreated}>{dayName(message.tsCreated, locale, copy)}</DateMarker>}
      {firstUnread && <div className={css.unreadLine}>{copy.newMessages}</div>}
      {message.sentToMany && !own && (
        <span className={css.mark}>
          <Icon name="warning" size={16} />
          {copy.sentToMany}
        </span>
      )}
      {lures && (lures.link || lures.number) && (
        <span className={css.mark} data-calm>
          <Icon name="info" size={16} />
          {copy.lures(lures)}
        </span>
      )}
    </>
  );
}

function TypingBubble({ avatar }: { avatar: ReactNode }) {
  return (
    <Bubble avatar={avatar}>
      <span className={css.typing} aria-hidden="true">
        <i />
        <i />
        <i />
      </span>
    </Bubble>
  );
}
