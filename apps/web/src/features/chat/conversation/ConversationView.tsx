import type { Message } from "@lambda/contract/messages";
import { EmptyState } from "@lambda/ui/empty-state";
import { ErrorState } from "@lambda/ui/error-state";
import { IconButton } from "@lambda/ui/icon-button";
import { Link } from "@lambda/ui/link";
import { Skeleton } from "@lambda/ui/skeleton";
import { useToast } from "@lambda/ui/toast";
import { useMemo, useState } from "react";
import { errorCodeOf } from "../../../api/error-body.ts";
import { errorText } from "../../../api/error-text.ts";
import { trpc } from "../../../api/trpc.ts";
import { ReportDialog, type Reported } from "../../../components/ReportDialog/ReportDialog.tsx";
import { useOnline } from "../../../device/use-online.ts";
import { useCopy } from "../../../format/i18n.ts";
import { shownName } from "../../../format/shown-name.ts";
import css from "../chat.module.css";
import { Composer } from "../composer/Composer.tsx";
import { ComposerActs } from "../composer/ComposerActs.tsx";
import { chatCopy } from "../copy.ts";
import { sendTyping } from "../live.ts";
import { outbox } from "../outbox/outbox.ts";
import { useOutbox } from "../outbox/use-outbox.ts";
import { PartnerAvatar } from "../PartnerAvatar.tsx";
import { Heard } from "./Heard.tsx";
import { MessageLog } from "./MessageLog.tsx";
import type { ThreadKey } from "./thread.ts";
import { dropMessage, loadOlder } from "./threads.ts";
import { useConversation } from "./use-conversation.ts";

interface ConversationViewProps {
  name: ThreadKey;
  account: number;
  /** Opened from the list by somebody with a keyboard: the field gets the focus. */
  typesAtOnce: boolean;
}

/** One conversation: who, what was said, and the field to answer in. Without the field while he is not visible. */
export function ConversationView({ name, account, typesAtOnce }: ConversationViewProps) {
  const copy = useCopy(chatCopy);
  const toast = useToast();
  const online = useOnline();
  const [reported, setReported] = useState<Reported>();
  const { thread, error, retry, typing } = useConversation(name, account);
  const { other } = thread;
  const waiting = useOutbox(other?.profileId ?? -1);
  const { mutate: remove } = trpc.messages.remove.useMutation({
    onSuccess: (_, { id }) => dropMessage(name, Number(id)),
    onError: (failure) => toast({ text: errorText(failure), tone: "danger" }),
  });
  const acts = useMemo(
    () => ({
      remove: (id: number, forMe: boolean) => remove({ id, forMe }),
      report: ({ id, senderProfileId }: Message) =>
        setReported({ subjectProfileId: senderProfileId, message: { id, source: "message" } }),
    }),
    [remove],
  );

  if (!thread.loaded) {
    if (!error && !thread.gone) return <Skeleton shape="rows" count={6} label={copy.loading} />;
    const gone = thread.gone || errorCodeOf(error) === "NOT_FOUND";
    return (
      <ErrorState
        title={gone ? copy.gone : copy.failedToLoad}
        text={gone ? undefined : errorText(error)}
        retryLabel={copy.tryAgain}
        onRetry={gone ? undefined : retry}
      />
    );
  }
  const profile = other ? `/profile/${other.profileId}` : undefined;
  return (
    <>
      <header className={css.head}>
        <span className={css.backToList}>
          <IconButton icon="back" label={copy.back} href="/chat/personal" />
        </span>
        <Who href={profile}>
          <PartnerAvatar other={other} size={44} />
          <span className={css.named}>
            <h2 className={css.name}>{other ? shownName(other.profileName) : copy.away}</h2>
            <span className={css.state} data-live={typing || other?.online || undefined} aria-live="polite">
              {typing ? copy.typing : other?.online ? copy.online : ""}
            </span>
          </span>
        </Who>
      </header>
      {thread.messages.length === 0 && waiting.length === 0 ? (
        <div className={css.logFrame}>
          <EmptyState figure="hello" title={copy.sayHello} text={copy.sayHelloHint} />
        </div>
      ) : (
        <MessageLog
          key={name}
          thread={thread}
          account={account}
          waiting={waiting}
          typing={typing}
          onOlder={() => loadOlder(name)}
          acts={acts}
        />
      )}
      <Heard thread={thread} account={account} />
      {!online && (
        <p className={css.offline} role="status">
          {copy.offline}
        </p>
      )}
      {other ? (
        <Composer
          account={account}
          draftName={name}
          autoFocus={typesAtOnce}
          onTyping={() => sendTyping(other.profileId)}
          onSend={(message) => void outbox.add(account, { ...message, recipientProfileId: other.profileId })}
          acts={(field) => (
            <ComposerActs
              {...field}
              onAttach={(attachment) =>
                void outbox.add(account, {
                  recipientProfileId: other.profileId,
                  bodyText: "",
                  profilePicIds: [],
                  attachment,
                })
              }
            />
          )}
        />
      ) : (
        <p className={css.note}>{copy.awayHint}</p>
      )}
      <ReportDialog reported={reported} onClose={() => setReported(undefined)} />
    </>
  );
}

function Who({ href, children }: { href: string | undefined; children: React.ReactNode }) {
  const copy = useCopy(chatCopy);
  if (!href) return <div className={css.who}>{children}</div>;
  return (
    <Link href={href} className={css.who} aria-description={copy.profile}>
      {children}
    </Link>
  );
}
