import type { Message, Reaction } from "@lambda/contract/messages";
import { Bubble } from "@lambda/ui/bubble";
import { Icon } from "@lambda/ui/icon";
import { IconButton } from "@lambda/ui/icon-button";
import { Link } from "@lambda/ui/link";
import { Picture } from "@lambda/ui/picture";
import { memo, type ReactNode } from "react";
import { pictureSource } from "../../../../api/picture-url.ts";
import { useCoveredPictures } from "../../../../components/covered-pictures.ts";
import { useHold } from "../../../../components/use-hold.ts";
import { useNsfw } from "../../../../device/nsfw.ts";
import { clockTime } from "../../../../format/time.ts";
import { lazyPart } from "../../../../routing/lazy-part.tsx";
import { carouselPath, mapPath } from "../../../../routing/paths.ts";
import css from "../chat.module.css";
import { useChatCopy } from "../copy.ts";
import { PictureCover } from "../PictureCover.tsx";
import { PixelationNote } from "../PixelationNote.tsx";
import { type Answered, Quote } from "./Quote.tsx";
import { ReactionChoice, ReactionMark } from "./Reactions.tsx";
import type { GroupPosition } from "./thread.ts";
import { MessageAction } from "./WaitingBubble.tsx";

/** Rare, so not part of the chat bundle. */
const OnceTile = lazyPart(() => import("../once/OnceTile.tsx"));
const VoicePlayer = lazyPart(() => import("../../../../components/Voice/VoicePlayer.tsx"));

export interface MessageActions {
  /** `forMe` deletes the message for this member only; otherwise it is unsent for both. */
  readonly remove: (id: number, forMe: boolean) => void;
  readonly report: (message: Message) => void;
  /** Hides the message with its pictures. The sender is not notified. */
  readonly decline: (id: number) => void;
  readonly toggleTimes: (id: number) => void;
  readonly reply: (id: number) => void;
  /** null takes it back. */
  readonly react: (message: Message, reaction: Reaction | null) => void;
  /** Scrolls to a message, and loads what is missing before it. */
  readonly goTo: (id: number) => void;
}

interface MessageBubbleProps {
  message: Message;
  own: boolean;
  groupPosition: GroupPosition;
  avatar: ReactNode;
  otherName: string;
  open: boolean;
  /** Reached by Tab. Only one message is; arrow keys reach the others. */
  tabStop: boolean;
  /** The message that this one answers, if it is still there. */
  answered: Answered | undefined;
  /** The other member is visible, so they can be answered and reported. */
  reportable: boolean;
  /** The reader has written to its sender. */
  isKnownSender: boolean;
  actions: MessageActions;
}

function Pictures({
  message,
  own,
  isKnownSender,
  actions,
}: Pick<MessageBubbleProps, "message" | "own" | "isKnownSender" | "actions">) {
  const copy = useChatCopy();
  const [nsfw] = useNsfw();
  const { covered, uncover } = useCoveredPictures(`message ${message.id}`, own ? undefined : isKnownSender);
  const { profilePicIds } = message;
  if (covered) {
    return <PictureCover count={profilePicIds.length} onShow={uncover} onDecline={() => actions.decline(message.id)} />;
  }
  return (
    <>
      {profilePicIds.map((id) => (
        <Link key={id} href={carouselPath(message.senderProfileId, id, profilePicIds)}>
          <Picture src={pictureSource(id, nsfw)} alt={copy.picture} sizes="260px" />
        </Link>
      ))}
      {!own && <PixelationNote />}
    </>
  );
}

function Attachment({ message, own, otherName }: { message: Message; own: boolean; otherName: string }) {
  const copy = useChatCopy();
  const { attachment, senderProfileId } = message;
  if (!attachment || attachment.type === "once" || attachment.type === "voice") return null;
  if (attachment.type === "album") {
    return (
      <span className="inline-row gap-2">
        <Icon name="unlock" size={20} />
        {own ? copy.youSharedAlbum : copy.sharedAlbum(otherName)}
      </span>
    );
  }
  return (
    <span className="inline-row gap-2">
      <Icon name="pin" size={20} />
      <Link href={mapPath(senderProfileId, attachment)}>{copy.openMap}</Link>
    </span>
  );
}

interface FramedAttachmentProps extends MessageBubbleProps {
  attachment: Extract<Message["attachment"], { type: "once" | "voice" }>;
}

/** Voice messages and "open once" attachments, which bring their own frame. */
function FramedAttachment({ message, attachment, own, isKnownSender, actions }: FramedAttachmentProps) {
  return attachment.type === "voice" ? (
    <VoicePlayer src={`/api/voice/${attachment.voiceId}`} {...attachment} />
  ) : (
    <OnceTile message={message} once={attachment} own={own} isKnownSender={isKnownSender} onDecline={actions.decline} />
  );
}

/** Memoized: a log holds hundreds of bubbles, and each key press and each receipt renders the log. */
export const MessageBubble = memo(function MessageBubble(props: MessageBubbleProps) {
  const { message, own, isKnownSender, groupPosition, avatar, otherName, open, tabStop, answered, actions } = props;
  const copy = useChatCopy();
  const state = !own ? undefined : message.tsRecipientRead ? "seen" : message.tsDelivered ? "delivered" : "sent";
  const { attachment } = message;
  const isFramed = attachment?.type === "once" || attachment?.type === "voice";
  const hasBody = message.bodyText || (attachment && !isFramed);
  const hold = useHold(() => actions.toggleTimes(message.id));
  return (
    <Bubble
      handlers={hold}
      quote={
        answered && (
          <Quote
            answered={answered}
            name={answered !== "earlier" && isBy(answered, message) === own ? copy.yourself : otherName}
            onGo={() => goToAnswered(message, actions)}
          />
        )
      }
      mark={message.reaction && <ReactionMark reaction={message.reaction} own={own} />}
      aside={
        props.reportable &&
        !open && <IconButton icon="reply" label={copy.reply} tabIndex={-1} onClick={() => actions.reply(message.id)} />
      }
      own={own}
      groupPosition={groupPosition}
      state={state}
      stateLabel={state && copy.states[state]}
      avatar={avatar}
      pictures={
        isFramed ? (
          <FramedAttachment {...props} attachment={attachment} />
        ) : (
          message.profilePicIds.length > 0 && (
            <Pictures message={message} own={own} isKnownSender={isKnownSender} actions={actions} />
          )
        )
      }
      senderLabel={own ? copy.you : `${otherName}: `}
      time={clockTime(message.tsCreated)}
      timesOpen={open}
      onToggleTimes={() => actions.toggleTimes(message.id)}
      timesLabel={copy.showTimes}
      hasLink={message.attachment?.type === "position"}
      tabStop={tabStop}
      times={<MessageTimes {...props} />}
    >
      {hasBody ? (
        <>
          {message.bodyText}
          {message.attachment && <Attachment message={message} own={own} otherName={otherName} />}
        </>
      ) : null}
    </Bubble>
  );
});

const goToAnswered = ({ replyToId }: Message, { goTo }: MessageActions) => replyToId && goTo(replyToId);

const isBy = (one: Message, other: Message) => one.senderProfileId === other.senderProfileId;

/** The panel that closes was opened from the message. */
const focusMessageOf = (button: HTMLElement) =>
  button.closest("[data-message]")?.querySelector<HTMLElement>("[data-stop]")?.focus();

/** When the message was sent, delivered and seen, with the buttons to remove or report it. */
function MessageTimes({ message, own, reportable, answered, actions }: MessageBubbleProps) {
  const copy = useChatCopy();
  return (
    <div className={`stack gap-1 ${css.times}`} data-own={own || undefined}>
      {reportable && !own && (
        <ReactionChoice
          chosen={message.reaction}
          onChoose={(reaction, { currentTarget }) => {
            actions.react(message, reaction);
            focusMessageOf(currentTarget);
            actions.toggleTimes(message.id);
          }}
        />
      )}
      <span>{copy.sentAt(clockTime(message.tsCreated))}</span>
      {message.tsRecipientRead ? (
        <span>{copy.seenAt(clockTime(message.tsRecipientRead))}</span>
      ) : message.tsDelivered ? (
        <span>{copy.deliveredAt(clockTime(message.tsDelivered))}</span>
      ) : (
        own && <span>{copy.notSeen}</span>
      )}
      <span className={`wrap ${css.actions}`}>
        {reportable && (
          <MessageAction
            label={copy.reply}
            onClick={() => {
              actions.toggleTimes(message.id);
              actions.reply(message.id);
            }}
          />
        )}
        {answered && <MessageAction label={copy.goToAnswered} onClick={() => goToAnswered(message, actions)} />}
        <MessageAction
          label={own ? copy.takeBack : copy.deleteForMe}
          danger={own}
          onClick={() => actions.remove(message.id, !own)}
        />
        {reportable && !own && <MessageAction label={copy.report} danger onClick={() => actions.report(message)} />}
      </span>
    </div>
  );
}
