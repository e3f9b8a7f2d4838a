import type { Message } from "@lambda/contract/messages";
import { Bubble } from "@lambda/ui/bubble";
import { Divider } from "@lambda/ui/divider";
import { Icon } from "@lambda/ui/icon";
import { IconButton } from "@lambda/ui/icon-button";
import {
  type FocusEvent,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useMemo,
  useState,
} from "react";
import { displayName } from "../../../../format/display-name.ts";
import { dayName } from "../../../../format/time.ts";
import css from "../chat.module.css";
import { useChatCopy } from "../copy.ts";
import type { OutgoingMessage } from "../outbox/outbox.ts";
import { PartnerAvatar } from "../PartnerAvatar.tsx";
import { findContactDetails } from "./contact-details.ts";
import { type MessageActions, MessageBubble } from "./MessageBubble.tsx";
import { findAnswered } from "./Quote.tsx";
import { groupMessages, type Thread } from "./thread.ts";
import { useLogScroll } from "./use-log-scroll.ts";
import { WaitingBubble } from "./WaitingBubble.tsx";

const FLASH_MS = 1200;

/** Returns a function that shows and focuses a message of the log, after loading the pages down to it. */
function useGoTo(log: RefObject<HTMLElement | null>, thread: Thread, onOlder: () => Promise<void>) {
  const [wanted, setWanted] = useState<number>();
  const { messages, hasOlder } = thread;
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs again after each page
  useEffect(() => {
    if (wanted === undefined) return;
    const message = log.current?.querySelector<HTMLElement>(`[data-message="${wanted}"]`);
    if (!message && hasOlder && wanted < (messages[0]?.id ?? 0)) {
      onOlder().catch(() => setWanted(undefined));
      return;
    }
    setWanted(undefined);
    if (!message) return;
    message.scrollIntoView({ block: "center" });
    message.querySelector<HTMLElement>("[data-stop]")?.focus({ preventScroll: true });
    // A tap shows no focus.
    message.animate({ backgroundColor: ["var(--tint)", "transparent"] }, { duration: FLASH_MS, easing: "ease-in" });
  }, [wanted, messages, hasOlder]);
  return setWanted;
}

const tabStopsIn = (log: HTMLElement) => [...log.querySelectorAll<HTMLElement>("[data-stop]")];

/** Roving focus: Tab enters the log at the newest message, arrow keys move between messages. */
function useMessageFocus(messages: readonly Message[]) {
  const [focusedId, setFocusedId] = useState<number>();
  const onFocus = (event: FocusEvent<HTMLDivElement>) =>
    setFocusedId(messages[tabStopsIn(event.currentTarget).indexOf(event.target)]?.id);
  const onBlur = (event: FocusEvent<HTMLDivElement>) => {
    if (!event.currentTarget.contains(event.relatedTarget)) setFocusedId(undefined);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const stops = tabStopsIn(event.currentTarget);
    const at = stops.indexOf(event.target as HTMLElement);
    const to = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: stops.length - 1 }[event.key];
    if (at < 0 || to === undefined) return;
    event.preventDefault();
    stops[to]?.focus();
  };
  return { tabStop: focusedId ?? messages.at(-1)?.id, handlers: { onFocus, onBlur, onKeyDown } };
}

interface MessageLogProps {
  thread: Thread;
  account: number;
  waiting: readonly OutgoingMessage[];
  typing: boolean;
  onOlder: () => Promise<void>;
  onShown: (id: number) => void;
  actions: Omit<MessageActions, "toggleTimes" | "goTo">;
}

export function MessageLog({ thread, account, waiting, typing, onOlder, onShown, actions }: MessageLogProps) {
  const copy = useChatCopy();
  const { log, onScroll, isScrolledUp, jumpToNewest } = useLogScroll({ thread, account, waiting, onOlder, onShown });
  const { tabStop, handlers } = useMessageFocus(thread.messages);
  const goTo = useGoTo(log, thread, onOlder);
  const { other } = thread;
  const avatar = useMemo(() => <PartnerAvatar other={other && { ...other, online: false }} size={36} />, [other]);
  return (
    <div className={`grow relative ${css.logFrame}`}>
      <div
        ref={log}
        className={`flex cover ${css.log}`}
        onScroll={onScroll}
        {...handlers}
        role="log"
        // NewMessageAnnouncer reads out new messages; a live log would also read out older ones when they load.
        aria-live="off"
        aria-label={copy.messages}
      >
        <div className={`centered ${css.messages}`}>
          {thread.hasOlder && <p className={css.note}>{copy.older}</p>}
          <Messages
            thread={thread}
            account={account}
            hasWaiting={waiting.length > 0}
            tabStop={tabStop}
            avatar={avatar}
            actions={actions}
            goTo={goTo}
          />
          {waiting.map((item) => (
            <WaitingBubble
              key={item.clientId}
              item={item}
              account={account}
              answered={findAnswered(thread, item.replyToId)}
              otherName={other ? displayName(other.profileName) : copy.away}
            />
          ))}
          {typing && (
            <Bubble avatar={avatar}>
              <span className={`inline-row ${css.typing}`} aria-hidden="true">
                <i />
                <i />
                <i />
              </span>
            </Bubble>
          )}
        </div>
      </div>
      {isScrolledUp && (
        <span className={css.jump}>
          <IconButton icon="chevron-down" tone="raised" label={copy.jump} onClick={jumpToNewest} />
        </span>
      )}
    </div>
  );
}

interface MessagesProps extends Pick<MessageLogProps, "thread" | "account" | "actions"> {
  goTo: (id: number) => void;
  tabStop: number | undefined;
  avatar: ReactNode;
  /** Own messages wait in the outbox. */
  hasWaiting: boolean;
}

function Messages({ thread, account, hasWaiting, tabStop, avatar, actions, goTo }: MessagesProps) {
  const copy = useChatCopy();
  const [openId, setOpenId] = useState<number>();
  const { messages, other, firstUnreadId } = thread;
  const unreadIndex = firstUnreadId === null ? -1 : messages.findIndex((message) => message.id >= firstUnreadId);
  const groups = useMemo(() => groupMessages(messages, unreadIndex), [messages, unreadIndex]);
  const bubbleActions = useMemo<MessageActions>(
    () => ({
      ...actions,
      goTo,
      toggleTimes: (id) => setOpenId((current) => (current === id ? undefined : id)),
    }),
    [actions, goTo],
  );
  const isKnownSender = hasWaiting || messages.some((message) => message.senderProfileId === account);
  return messages.map((message, index) => {
    const { groupPosition = "only", isNewDay = false } = groups[index] ?? {};
    const own = message.senderProfileId === account;
    return (
      <div key={message.id} data-message={message.id}>
        <MessageNotes
          message={message}
          own={own}
          isKnownSender={isKnownSender}
          isNewDay={isNewDay}
          isFirstUnread={index === unreadIndex}
        />
        <MessageBubble
          message={message}
          tabStop={message.id === tabStop}
          own={own}
          groupPosition={groupPosition}
          otherName={other ? displayName(other.profileName) : copy.away}
          avatar={avatar}
          open={openId === message.id}
          answered={findAnswered(thread, message.replyToId)}
          reportable={other !== null}
          isKnownSender={isKnownSender}
          actions={bubbleActions}
        />
      </div>
    );
  });
}

interface MessageNotesProps {
  message: Message;
  own: boolean;
  /** The reader has written to its sender. */
  isKnownSender: boolean;
  isNewDay: boolean;
  isFirstUnread: boolean;
}

/** Shown above a message: the date of a new day, the unread line, and warnings about mass openers and contact details from strangers. */
function MessageNotes({ message, own, isKnownSender, isNewDay, isFirstUnread }: MessageNotesProps) {
  const copy = useChatCopy();
  const contactDetails = own || isKnownSender ? undefined : findContactDetails(message.bodyText);
  return (
    <>
      {isNewDay && (
        <Divider>
          <time dateTime={message.tsCreated}>{dayName(message.tsCreated, copy)}</time>
        </Divider>
      )}
      {isFirstUnread && <Divider isUnread>{copy.newMessages}</Divider>}
      {message.sentToMany && !own && (
        <span className={`inline-row warn type-mark ${css.mark}`}>
          <Icon name="warning" size={16} />
          {copy.sentToMany}
        </span>
      )}
      {contactDetails && (contactDetails.link || contactDetails.number) && (
        <span className={`inline-row warn type-mark ${css.mark}`} data-calm>
          <Icon name="info" size={16} />
          {copy.contactDetails(contactDetails)}
        </span>
      )}
    </>
  );
}
