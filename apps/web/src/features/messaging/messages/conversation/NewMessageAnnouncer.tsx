import { useState } from "react";
import { displayName } from "../../../../format/display-name.ts";
import { messageText, useChatCopy } from "../copy.ts";
import type { Thread } from "./thread.ts";

/** Announces messages that arrive while the conversation is open to screen readers. Visually hidden. */
export function NewMessageAnnouncer({ thread, account }: { thread: Thread; account: number }) {
  const copy = useChatCopy();
  const [lastIdAtOpening] = useState(thread.messages.at(-1)?.id ?? 0);
  const newest = thread.messages.findLast(
    ({ id, senderProfileId }) => senderProfileId !== account && id > lastIdAtOpening,
  );
  const name = thread.other ? displayName(thread.other.profileName) : copy.away;
  return (
    <p className="visually-hidden" role="status">
      {newest && copy.says(name, messageText(newest, copy))}
    </p>
  );
}
