import { useState } from "react";
import { useCopy } from "../../../format/i18n.ts";
import { shownName } from "../../../format/shown-name.ts";
import css from "../chat.module.css";
import { chatCopy, contentOf } from "../copy.ts";
import type { Thread } from "./thread.ts";

/** Says to those who listen what he wrote while the conversation is open. Draws nothing. */
export function Heard({ thread, account }: { thread: Thread; account: number }) {
  const copy = useCopy(chatCopy);
  const [before] = useState(thread.messages[thread.messages.length - 1]?.id ?? 0);
  const news = thread.messages.findLast(({ id, senderProfileId }) => senderProfileId !== account && id > before);
  const name = thread.other ? shownName(thread.other.profileName) : copy.away;
  return (
    <p className={css.heard} role="status">
      {news && `${name}: ${contentOf(news, copy)}`}
    </p>
  );
}
