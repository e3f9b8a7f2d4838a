import { Bubble } from "@lambda/ui/bubble";
import { dueTime } from "../../../../format/time.ts";
import css from "../chat.module.css";
import { messageText, useChatCopy } from "../copy.ts";
import { type OutgoingMessage, outboxOf } from "../outbox/outbox.ts";
import { type Answered, Quote } from "./Quote.tsx";

interface WaitingBubbleProps {
  item: OutgoingMessage;
  account: number;
  answered?: Answered | undefined;
  otherName?: string;
}

/** A button below a message. */
export function MessageAction({ label, danger, onClick }: { label: string; danger?: boolean; onClick: () => void }) {
  return (
    <button type="button" className={css.action} data-danger={danger || undefined} onClick={onClick}>
      {label}
    </button>
  );
}

/** An outgoing message: sending, delayed by the server, or rejected by it. */
export function WaitingBubble({ item, account, answered, otherName = "" }: WaitingBubbleProps) {
  const outbox = outboxOf(account);
  const copy = useChatCopy();
  const state = item.failed ? "failed" : "sending";
  const { waits } = item.failed ? {} : item;
  return (
    <Bubble
      own
      quote={
        answered && (
          <Quote
            answered={answered}
            name={answered !== "earlier" && answered.senderProfileId === account ? copy.yourself : otherName}
          />
        )
      }
      senderLabel={copy.you}
      state={state}
      stateLabel={waits ? copy.waiting : copy.states[state]}
      timesOpen={item.failed !== undefined || waits !== undefined}
      times={
        <div className={`stack gap-1 ${css.times}`} data-own role={waits ? "status" : "alert"}>
          {waits && (
            <span>
              {waits.why} {copy.willBeSentAt(dueTime(waits.until))}
            </span>
          )}
          {item.failed && (
            <span className="danger">{item.refusal === "OPENING_REPEATED" ? copy.openingRepeated : item.failed}</span>
          )}
          <span className={`wrap ${css.actions}`}>
            {item.failed && <MessageAction label={copy.retry} onClick={() => void outbox.retry(item.clientId)} />}
            <MessageAction label={copy.discard} onClick={() => void outbox.discard(item.clientId)} />
          </span>
        </div>
      }
    >
      {messageText(item, copy)}
    </Bubble>
  );
}
