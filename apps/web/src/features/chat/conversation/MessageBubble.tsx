import type { Message } from "@lambda/contract/messages";
import { Bubble } from "@lambda/ui/bubble";
import { Icon } from "@lambda/ui/icon";
import { Link } from "@lambda/ui/link";
import { Picture } from "@lambda/ui/picture";
import { memo, type ReactNode, Suspense } from "react";
import { pictureSource } from "../../../api/picture-url.ts";
import { useCoveredPictures } from "../../../components/covered-pictures.ts";
import { useNsfw } from "../../../device/nsfw.ts";
import { useCopy, useLocale } from "../../../format/i18n.ts";
import { clockTime } from "../../../format/time.ts";
import { lazyScreen } from "../../../routing/lazy-screen.ts";
import css from "../chat.module.css";
import { chatCopy } from "../copy.ts";
import { PictureCover } from "../PictureCover.tsx";
import { PicturesWhy } from "../PicturesWhy.tsx";
import type { GroupEdge } from "./thread.ts";

/** Rare, so not in the weight of chat. */
const OnceTile = lazyScreen(() => import("../once/OnceTile.tsx"));
const VoicePlayer = lazyScreen(() => import("../../../components/Voice/VoicePlayer.tsx"));

export interface MessageActs {
  /** `forMe`: deletes it on this side alone; else takes it back. */
  readonly remove: (id: number, forMe: boolean) => void;
  readonly report: (message: Message) => void;
  /** Takes its pictures out of sight, and the message with them; the sender is not told. */
  readonly decline: (id: number) => void;
  readonly toggle: (id: number) => void;
}

interface MessageBubbleProps {
  message: Message;
  own: boolean;
  edge: GroupEdge;
  avatar: ReactNode;
  otherName: string;
  open: boolean;
  /** Tab reaches it; the others are reached from it by arrow keys. */
  tabStop: boolean;
  /** Its sender is visible, and can be reported. */
  reportable: boolean;
  /** The reader wrote to its sender. */
  known: boolean;
  acts: MessageActs;
}

function Pictures({ message, own, known, acts }: Pick<MessageBubbleProps, "message" | "own" | "known" | "acts">) {
  const copy = useCopy(chatCopy);
  const [nsfw] = useNsfw();
  const { covered, uncover } = useCoveredPictures(`message ${message.id}`, own ? undefined : known);
  const { profilePicIds } = message;
  if (covered) {
    return <PictureCover count={profilePicIds.length} onShow={uncover} onDecline={() => acts.decline(message.id)} />;
  }
  const ids = profilePicIds.join(",");
  return (
    <>
      {profilePicIds.map((id) => (
        <Link key={id} href={`/profilePicCarousel?profileId=${message.senderProfileId}&id=${id}&ids=${ids}`}>
          <Picture src={pictureSource(id, nsfw)} alt={copy.picture} sizes="260px" />
        </Link>
      ))}
      {!own && <PicturesWhy />}
    </>
  );
}

function Attachment({ message, own, otherName }: { message: Message; own: boolean; otherName: string }) {
  const copy = useCopy(chatCopy);
  const { attachment, senderProfileId } = message;
  if (!attachment || attachment.type === "once" || attachment.type === "voice") return null;
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

interface FramedProps extends MessageBubbleProps {
  attachment: Extract<Message["attachment"], { type: "once" | "voice" }>;
}

/** What has a frame of its own. */
function Framed({ message, attachment, own, known, acts }: FramedProps) {
  return (
    <Suspense fallback={null}>
      {attachment.type === "voice" ? (
        <VoicePlayer src={`/api/voice/${attachment.voiceId}`} {...attachment} />
      ) : (
        <OnceTile message={message} once={attachment} own={own} known={known} onDecline={acts.decline} />
      )}
    </Suspense>
  );
}

/** Drawn again only when something of this message changed: a log holds hundreds, and each key and each receipt draws the log. */
export const MessageBubble = memo(function MessageBubble(props: MessageBubbleProps) {
  const { message, own, known, edge, avatar, otherName, open, tabStop, acts } = props;
  const copy = useCopy(chatCopy);
  const [locale] = useLocale();
  const state = !own ? undefined : message.tsRecipientRead ? "seen" : message.tsDelivered ? "delivered" : "sent";
  const { attachment } = message;
  const isFramed = attachment?.type === "once" || attachment?.type === "voice";
  const body = message.bodyText || (attachment && !isFramed);
  return (
    <Bubble
      own={own}
      place={edge}
      state={state}
      stateLabel={state && copy.states[state]}
      avatar={avatar}
      pictures={
        isFramed ? (
          <Framed {...props} attachment={attachment} />
        ) : (
          message.profilePicIds.length > 0 && <Pictures message={message} own={own} known={known} acts={acts} />
        )
      }
      by={own ? copy.you : `${otherName}: `}
      time={clockTime(message.tsCreated, locale)}
      timesOpen={open}
      onToggleTimes={() => acts.toggle(message.id)}
      timesLabel={copy.showTimes}
      holdsLink={message.attachment?.type === "position"}
      tabStop={tabStop}
      times={<MessageTimes {...props} />}
    >
      {body ? (
        <>
          {message.bodyText}
          {message.attachment && <Attachment message={message} own={own} otherName={otherName} />}
        </>
      ) : null}
    </Bubble>
  );
});

/** When it was sent, delivered and seen, and what can be done with it. */
function MessageTimes({ message, own, reportable, acts }: MessageBubbleProps) {
  const copy = useCopy(chatCopy);
  const [locale] = useLocale();
  return (
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
        {own ? (
          <button type="button" className={css.act} data-danger onClick={() => acts.remove(message.id, false)}>
            {copy.takeBack}
          </button>
        ) : (
          <button type="button" className={css.act} onClick={() => acts.remove(message.id, true)}>
            {copy.deleteForMe}
          </button>
        )}
        {reportable && !own && (
          <button type="button" className={css.act} data-danger onClick={() => acts.report(message)}>
            {copy.report}
          </button>
        )}
      </span>
    </div>
  );
}
