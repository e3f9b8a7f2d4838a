import type { Message } from "@lambda/contract/messages";
import { Bubble } from "@lambda/ui/bubble";
import { Icon } from "@lambda/ui/icon";
import { Link } from "@lambda/ui/link";
import { Picture } from "@lambda/ui/picture";
import type { ReactNode } from "react";
import { useCopy, useLocale } from "../../../lib/i18n.ts";
import { useNsfw } from "../../../lib/nsfw.ts";
import { pictureSource } from "../../../lib/picture-url.ts";
import css from "../chat.module.css";
import { chatCopy, clockTime } from "../copy.ts";
import type { Place } from "../thread.ts";

export interface BubbleActs {
  readonly onRemove?: () => void;
  readonly onDeleteForMe?: () => void;
  readonly onReport?: () => void;
}

interface MessageBubbleProps extends BubbleActs {
  message: Message;
  own: boolean;
  place: Place;
  avatar: ReactNode;
  otherName: string;
  open: boolean;
  onToggle: () => void;
}

function Attachment({ message, own, otherName }: { message: Message; own: boolean; otherName: string }) {
  const copy = useCopy(chatCopy);
  const { attachment, senderProfileId } = message;
  if (!attachment) return null;
  if (attachment.type === "album") {
    return (
      <span className={css.attachment}>
        <Icon name="unlock" size={20} />
        {own ? copy.youSharedAlbum : `${otherName} ${copy.sharedAlbum}`}
      </span>
    );
  }
  const { lat, lon } = attachment;
  return (
    <span className={css.attachment}>
      <Icon name="pin" size={20} />
      <Link href={`/search/map#profileId=${senderProfileId}&lat=${lat}&lng=${lon}`}>{copy.openMap}</Link>
    </span>
  );
}

export function MessageBubble(props: MessageBubbleProps) {
  const { message, own, place, avatar, otherName, open, onToggle, onRemove, onDeleteForMe, onReport } = props;
  const copy = useCopy(chatCopy);
  const [locale] = useLocale();
  const [nsfw] = useNsfw();
  const state = !own ? undefined : message.tsRecipientRead ? "seen" : message.tsDelivered ? "delivered" : "sent";
  const ids = message.profilePicIds.join(",");
  const body = message.bodyText || message.attachment;
  return (
    <Bubble
      own={own}
      place={place}
      state={state}
      stateLabel={state && copy.states[state]}
      avatar={avatar}
      pictures={
        message.profilePicIds.length > 0 &&
        message.profilePicIds.map((id) => (
          <Link key={id} href={`/profilePicCarousel?profileId=${message.senderProfileId}&id=${id}&ids=${ids}`}>
            <Picture src={pictureSource(id, nsfw)} alt={copy.picture} sizes="260px" />
          </Link>
        ))
      }
      timesOpen={open || !body}
      onToggleTimes={message.attachment?.type === "position" ? undefined : onToggle}
      timesLabel={copy.showTimes}
      times={
        <div className={css.times} data-own={own || undefined}>
          <span>{copy.sentAt(clockTime(message.tsCreated, locale))}</span>
          {message.tsRecipientRead ? (
            <span>{copy.seenAt(clockTime(message.tsRecipientRead, locale))}</span>
          ) : message.tsDelivered ? (
            <span>{copy.deliveredAt(clockTime(message.tsDelivered, locale))}</span>
          ) : (
            own && <span>{copy.notSeen}</span>
          )}
          <span className={css.acts}>
            {onRemove && (
              <button type="button" className={css.act} data-danger onClick={onRemove}>
                {copy.takeBack}
              </button>
            )}
            {onDeleteForMe && (
              <button type="button" className={css.act} onClick={onDeleteForMe}>
                {copy.deleteForMe}
              </button>
            )}
            {onReport && (
              <button type="button" className={css.act} data-danger onClick={onReport}>
                {copy.report}
              </button>
            )}
          </span>
        </div>
      }
    >
      {body ? (
        <>
          {message.bodyText}
          {message.attachment && <Attachment message={message} own={own} otherName={otherName} />}
        </>
      ) : null}
    </Bubble>
  );
}
