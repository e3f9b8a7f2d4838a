import type { Message } from "@lambda/contract/messages";
import css from "../chat.module.css";
import { messageText, useChatCopy } from "../copy.ts";

/** What a message answers: that message, or one on a page that is not loaded. */
export type Answered = Message | "earlier";

/** The answered message, unless it is gone from the thread. */
export function findAnswered(
  { messages, hasOlder }: { readonly messages: readonly Message[]; readonly hasOlder: boolean },
  replyToId: number | undefined,
): Answered | undefined {
  if (replyToId === undefined) return undefined;
  const isEarlier = hasOlder && replyToId < (messages[0]?.id ?? 0);
  return isEarlier ? "earlier" : messages.find(({ id }) => id === replyToId);
}

export function Quote({ answered, name, onGo }: { answered: Answered; name: string; onGo?: () => void }) {
  const copy = useChatCopy();
  return (
    <button
      type="button"
      className={`block muted type-mark truncate text-start ${css.quote}`}
      dir="auto"
      tabIndex={-1}
      aria-description={copy.goToAnswered}
      onClick={onGo}
    >
      {answered === "earlier" ? (
        copy.earlierMessage
      ) : (
        <>
          <b>{name}</b> <bdi>{messageText(answered, copy)}</bdi>
        </>
      )}
    </button>
  );
}
