import { useState } from "react";
import { useCopy } from "../../../format/i18n.ts";
import { shownName } from "../../../format/shown-name.ts";
import css from "../chat.module.css";
import { chatCopy, contentOf } from "../copy.ts";
import type { Thread } from "./thread.ts";

/** Reads out to screen readers what arrives while the conversation is open. Draws nothing. */
export function NewMessageAnnouncer({ thread, account }: { thread: Thread; account: number }) {
  const copy = useCopy(chatCopy);
  const [lastBefore] = useState(thread.messages.at(-1)?.id ?? 0);
  const newest = thread.messages.findLast(({ id, senderProfileId }) => senderProfileId !== account && id > lastBefore);
  const name = thread.other ? shownName(thread.other.profileName) : copy.away;
  return (
    <p className={css.announcer} role="status">
      {newest && `${name}: ${contentOf(newest, copy)}`}
    </p>
  );
}
