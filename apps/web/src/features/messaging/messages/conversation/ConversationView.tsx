import type { ChatPartner, Message, MessageDraft, Reaction } from "@lambda/contract/messages";
import { classes } from "@lambda/ui/classes";
import { ErrorState } from "@lambda/ui/error-state";
import { IconButton } from "@lambda/ui/icon-button";
import { Menu } from "@lambda/ui/menu";
import { Skeleton } from "@lambda/ui/skeleton";
import { useMemo, useState } from "react";
import { errorCodeOf } from "../../../../api/error-body.ts";
import { trpc } from "../../../../api/trpc.ts";
import loading from "../../../../components/loading-delay.module.css";
import { BlockedNotice } from "../../../../components/MemberActions/MemberMenu.tsx";
import { useBlock } from "../../../../components/MemberActions/use-block.ts";
import { createPressQueue } from "../../../../components/press-queue.ts";
import { QueryState } from "../../../../components/QueryState.tsx";
import { ReportDialog, type ReportTarget } from "../../../../components/ReportDialog/ReportDialog.tsx";
import { useEver } from "../../../../components/use-ever.ts";
import { useFailureToast } from "../../../../components/use-failure-toast.ts";
import { useHold } from "../../../../components/use-hold.ts";
import { useOnline } from "../../../../device/online.ts";
import { displayName } from "../../../../format/display-name.ts";
import { lazyPart } from "../../../../routing/lazy-part.tsx";
import css from "../chat.module.css";
import { Composer } from "../composer/Composer.tsx";
import type { ComposerSheetName } from "../composer/ComposerSheets.tsx";
import { useChatCopy } from "../copy.ts";
import { sendTyping } from "../live/live.ts";
import { type OutgoingMessage, type OutgoingVoice, outboxOf } from "../outbox/outbox.ts";
import { useOutbox } from "../outbox/use-outbox.ts";
import { conversationsOf } from "./conversations.ts";
import { EmptyThread } from "./EmptyThread.tsx";
import { MessageLog } from "./MessageLog.tsx";
import { NewMessageAnnouncer } from "./NewMessageAnnouncer.tsx";
import { ReplyBar } from "./ReplyBar.tsx";
import { ThreadHeader } from "./ThreadHeader.tsx";
import type { Thread, ThreadKey } from "./thread.ts";
import { useConversation } from "./use-conversation.ts";

interface ConversationViewProps {
  threadKey: ThreadKey;
  account: number;
  /** Focuses the composer; false on touch devices, where it would open the keyboard. A first message always gets it. */
  autoFocus: boolean;
}

/** One conversation: header, messages and composer. The composer is hidden while the other member is not visible. */
export default function ConversationView({ threadKey, account, autoFocus }: ConversationViewProps) {
  const copy = useChatCopy();
  const [reported, setReported] = useState<ReportTarget>();
  const conversation = useConversation(threadKey, account);
  const { thread, typing } = conversation;
  const { other } = thread;
  const otherId = other?.profileId ?? unansweredId(threadKey, thread);
  const waiting = useOutbox(account, otherId ?? -1);
  const [replyToId, setReplyToId] = useState<number>();
  const [opener, setOpener] = useState<{ text: string }>();
  const actions = useMessageActions(account, conversation.removeMessage, setReported, setReplyToId);
  // What was not there during the block is loaded again.
  const blocking = useBlock(other?.profileId, conversation.retry);

  if (thread.status === "loading") return <Skeleton shape="rows" count={6} label={copy.loading} />;
  if (thread.status === "gone")
    return blocking.blocked ? <BlockedNotice blocking={blocking} /> : <ErrorState title={copy.gone} />;
  const query = { error: thread.error, isFetching: false, refetch: conversation.retry };
  const failure = thread.status === "failed" && <QueryState query={query} failed={copy.failedToLoad} />;
  if (failure && otherId === undefined) return failure;
  return (
    <>
      <ThreadHeader
        account={account}
        other={other}
        name={other ? displayName(other.profileName) : failure ? copy.conversation : copy.away}
        typing={typing}
        tsLatest={thread.messages.findLast(({ senderProfileId }) => senderProfileId === other?.profileId)?.tsCreated}
        blocking={blocking}
      />
      {thread.messages.length === 0 && waiting.length === 0 ? (
        <div className={`grow relative ${css.logFrame}`}>
          {failure || <EmptyThread other={other} onOpenerPress={(text) => setOpener({ text })} />}
        </div>
      ) : (
        <MessageLog
          key={threadKey}
          thread={thread}
          account={account}
          waiting={waiting}
          typing={typing}
          onOlder={conversation.loadOlder}
          onShown={conversation.onShown}
          actions={actions}
        />
      )}
      <NewMessageAnnouncer thread={thread} account={account} />
      <WaitingNote waiting={waiting} />
      {other && blocking.blocked ? (
        <BlockedNotice blocking={blocking} />
      ) : otherId !== undefined ? (
        <ConversationComposer
          threadKey={threadKey}
          account={account}
          other={other}
          otherId={otherId}
          autoFocus={autoFocus || (thread.status === "ready" && thread.messages.length === 0)}
          waiting={waiting}
          opener={opener}
          replyTo={thread.messages.find(({ id }) => id === replyToId)}
          onReplied={() => {
            setReplyToId(undefined);
            setOpener(undefined);
          }}
        />
      ) : (
        <p className={css.note}>{copy.awayHint}</p>
      )}
      <ReportDialog reported={reported} onClose={() => setReported(undefined)} />
    </>
  );
}

/** The other member of a conversation for which no server answered, as after a reload offline: one may still write. */
const unansweredId = (key: ThreadKey, { status, error }: Thread): number | undefined =>
  status === "failed" && key.startsWith("p") && errorCodeOf(error) === undefined ? Number(key.slice(1)) : undefined;

/** Reactions to one message reach the server in the order of the presses. */
const press = createPressQueue<Reaction | null>();

function useMessageActions(
  account: number,
  removeMessage: (id: number) => void,
  report: (reported: ReportTarget) => void,
  reply: (id: number) => void,
) {
  const onError = useFailureToast();
  const onSuccess = (_: unknown, { id }: { id: unknown }) => removeMessage(Number(id));
  const { mutate: remove } = trpc.messages.remove.useMutation({ onSuccess, onError });
  const { mutate: decline } = trpc.messages.declinePictures.useMutation({ onSuccess, onError });
  const { mutateAsync: putReaction } = trpc.messages.react.useMutation({ onError });
  return useMemo(
    () => ({
      reply,
      react: ({ id, reaction: before }: Message, reaction: Reaction | null) => {
        const show = (shown: Reaction | null) =>
          conversationsOf(account).receiveEvent({ type: "reacted", messageId: id, reaction: shown });
        show(reaction);
        const save = () => putReaction({ id, reaction }).then(() => reaction);
        void press(id, before ?? null, save, show);
      },
      decline: (id: number) => decline({ id }),
      remove: (id: number, forMe: boolean) => remove({ id, forMe }),
      report: ({ id, senderProfileId }: Message) =>
        report({ subjectProfileId: senderProfileId, message: { id, source: "message" } }),
    }),
    [account, decline, putReaction, remove, reply, report],
  );
}

function WaitingNote({ waiting }: { waiting: readonly OutgoingMessage[] }) {
  const copy = useChatCopy();
  const isOnline = useOnline();
  const isUnkept = waiting.some(({ unkept, failed }) => unkept && !failed);
  if (isOnline && !isUnkept) return null;
  return (
    <p className={classes("warn type-mark text-center", css.offline, isUnkept && loading.delayed)} role="status">
      {isUnkept ? copy.unkept : copy.offline}
    </p>
  );
}

/** An opener that was already sent to another member goes back into the field, unless it has pictures or an attachment. */
const isRepeatedOpener = ({ refusal, profilePicIds, attachment, voice }: OutgoingMessage) =>
  refusal === "OPENING_REPEATED" && profilePicIds.length === 0 && !attachment && !voice;

interface ConversationComposerProps {
  threadKey: ThreadKey;
  account: number;
  otherId: number;
  /** Null until the conversation has loaded. */
  other: ChatPartner | null;
  autoFocus: boolean;
  waiting: readonly OutgoingMessage[];
  opener: { readonly text: string } | undefined;
  /** The message to answer, while it is there. */
  replyTo: Message | undefined;
  onReplied: () => void;
}

/** Loaded with the first action that needs a sheet, to keep the chat bundle small. */
const ComposerSheets = lazyPart(() => import("../composer/ComposerSheets.tsx"));

function ConversationComposer(props: ConversationComposerProps) {
  const { threadKey, account, otherId, other, autoFocus, waiting, opener, replyTo, onReplied } = props;
  const copy = useChatCopy();
  const utils = trpc.useUtils();
  const outbox = outboxOf(account);
  const [sheet, setSheet] = useState<ComposerSheetName>();
  const hasSheets = useEver(sheet !== undefined);
  const [isHeld, setHeld] = useState(false);
  const send = (message: Pick<OutgoingMessage, "bodyText" | "profilePicIds" | "attachment" | "voice">) => {
    void outbox.add({ ...message, recipientProfileId: otherId, ...(replyTo && { replyToId: replyTo.id }) });
    // A search of those never texted is read anew on return.
    void utils.positions.nearest.invalidate({ notTalkedTo: true }, { refetchType: "none" });
    onReplied();
  };
  const attach = (attachment: MessageDraft["attachment"], voice?: OutgoingVoice) =>
    send({ bodyText: "", profilePicIds: [], attachment, ...(voice && { voice }) });
  const rejected = waiting.find(isRepeatedOpener);
  return (
    <>
      {replyTo && other && (
        <ReplyBar key={replyTo.id} answered={replyTo} account={account} other={other} onCancel={onReplied} />
      )}
      <Composer
        account={account}
        draftName={threadKey}
        autoFocus={autoFocus}
        opener={opener}
        rejectedText={rejected?.bodyText}
        onTextRestored={() => rejected && void outbox.discard(rejected.clientId)}
        onTyping={() => sendTyping(otherId)}
        onSend={send}
        renderActions={(field) => (
          <>
            {/* Attachments that cannot be taken back ask for confirmation first. */}
            <Menu
              icon="plus"
              label={copy.attach}
              items={[
                { icon: "picture", label: copy.addPicture, onSelect: field.choosePicture },
                { icon: "eye-off", label: copy.sendOnce, opensSheet: true, onSelect: () => setSheet("once") },
                { icon: "map", label: copy.sendPlace, onSelect: () => attach({ type: "position", exact: false }) },
                { icon: "gps", label: copy.sendExact, opensSheet: true, onSelect: () => setSheet("exact") },
                { icon: "unlock", label: copy.sendAlbum, opensSheet: true, onSelect: () => setSheet("album") },
                { icon: "chat", label: copy.phrases, opensSheet: true, onSelect: () => setSheet("phrases") },
              ]}
            />
            {hasSheets && (
              <ComposerSheets
                text={field.text}
                setText={field.setText}
                onAttach={attach}
                sheet={sheet}
                isHeld={isHeld}
                close={() => setSheet(undefined)}
              />
            )}
          </>
        )}
        idleAction={
          <VoiceButton
            onOpen={(held) => {
              setHeld(held);
              setSheet("voice");
            }}
            onRelease={() => setHeld(false)}
          />
        }
      />
    </>
  );
}

interface VoiceButtonProps {
  /** @param isHeld the button is still pressed */
  onOpen: (isHeld: boolean) => void;
  /** After a hold. */
  onRelease: () => void;
}

/** A tap opens the recorder; a hold also records until it is let go. */
function VoiceButton({ onOpen, onRelease }: VoiceButtonProps) {
  const copy = useChatCopy();
  const hold = useHold(() => {
    onOpen(true);
    // The sheet that opens makes the button inert, so it hears of no release.
    const released = new AbortController();
    for (const type of ["pointerup", "pointercancel"])
      window.addEventListener(
        type,
        () => {
          released.abort();
          onRelease();
        },
        { signal: released.signal },
      );
  }, true);
  return <IconButton icon="mic" label={copy.voice} className={css.hold} {...hold} onClick={() => onOpen(false)} />;
}
