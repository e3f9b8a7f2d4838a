import type { ChatPartner, Message } from "@lambda/contract/messages";
import { Icon } from "@lambda/ui/icon";
import { IconButton } from "@lambda/ui/icon-button";
import { useEffect, useEffectEvent, useRef } from "react";
import { displayName } from "../../../../format/display-name.ts";
import css from "../chat.module.css";
import { messageText, useChatCopy } from "../copy.ts";

interface ReplyBarProps {
  answered: Message;
  account: number;
  other: ChatPartner;
  onCancel: () => void;
}

/** The message that is being answered, above the composer. Moves the focus into the field; Escape cancels. */
export function ReplyBar({ answered, account, other, onCancel }: ReplyBarProps) {
  const copy = useChatCopy();
  const bar = useRef<HTMLDivElement>(null);
  const cancel = useEffectEvent(onCancel);
  useEffect(() => {
    const field = bar.current?.parentElement?.querySelector("textarea");
    field?.focus();
    const onKeyDown = (event: KeyboardEvent) => {
      if (
        event.key !== "Escape" ||
        event.defaultPrevented ||
        document.querySelector("dialog[open], :is(:popover-open)")
      )
        return;
      cancel();
      field?.focus();
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);
  const isOwn = answered.senderProfileId === account;
  return (
    <div ref={bar} className={`row gap-3 full-width ruled muted ${css.replyBar}`} role="status">
      <Icon name="reply" size={20} />
      <p className="grow min-0 type-mark">
        <b className="block truncate" dir="auto">
          {isOwn ? copy.replyToYourself : copy.replyTo(displayName(other.profileName))}
        </b>
        <bdi className="block truncate" dir="auto">
          {messageText(answered, copy)}
        </bdi>
      </p>
      <IconButton icon="close" label={copy.cancelReply} onClick={onCancel} />
    </div>
  );
}
