import { Bubble } from "@lambda/ui/bubble";
import { useCopy } from "../../../format/i18n.ts";
import css from "../chat.module.css";
import { chatCopy, contentOf } from "../copy.ts";
import { type Outgoing, outbox } from "../outbox/outbox.ts";

/** A message on its way, or one that the server refused. */
export function WaitingBubble({ item }: { item: Outgoing }) {
  const copy = useCopy(chatCopy);
  const state = item.failed ? "failed" : "sending";
  return (
    <Bubble
      own
      by={copy.you}
      state={state}
      stateLabel={copy.states[state]}
      timesOpen={item.failed !== undefined}
      times={
        <div className={css.times} data-own role="alert">
          <span className={css.failure}>{item.failed}</span>
          <span className={css.acts}>
            <button type="button" className={css.act} onClick={() => void outbox.retry(item.clientId)}>
              {copy.retry}
            </button>
            <button type="button" className={css.act} onClick={() => void outbox.discard(item.clientId)}>
              {copy.discard}
            </button>
          </span>
        </div>
      }
    >
      {contentOf(item, copy)}
    </Bubble>
  );
}
