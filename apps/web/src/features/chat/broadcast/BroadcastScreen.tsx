import { BLOCKED_REDIRECT_MS } from "@lambda/contract/limits";
import { Button } from "@lambda/ui/button";
import { EmptyState } from "@lambda/ui/empty-state";
import { ErrorState } from "@lambda/ui/error-state";
import { Sheet } from "@lambda/ui/sheet";
import { Skeleton } from "@lambda/ui/skeleton";
import { useToast } from "@lambda/ui/toast";
import { useState } from "react";
import { errorCodeOf } from "../../../api/error-body.ts";
import { errorText } from "../../../api/error-text.ts";
import { trpc } from "../../../api/trpc.ts";
import { useBlock } from "../../../components/MemberActions/use-block.ts";
import { ReportDialog, type Reported } from "../../../components/ReportDialog/ReportDialog.tsx";
import { useCopy } from "../../../format/i18n.ts";
import { useSession } from "../../../session/session.ts";
import { ChatPlaces } from "../ChatPlaces.tsx";
import css from "../chat.module.css";
import { Composer } from "../composer/Composer.tsx";
import { WaitingBubble } from "../conversation/WaitingBubble.tsx";
import { chatCopy } from "../copy.ts";
import { type Outgoing, outboxOf } from "../outbox/outbox.ts";
import { useOutbox } from "../outbox/use-outbox.ts";
import { BroadcastPost } from "./BroadcastPost.tsx";
import { broadcastCopy } from "./copy.ts";
import { useArea } from "./use-area.ts";

/** The map chat: a field without recipient, then what the members around say, newest first. */
export default function BroadcastScreen() {
  const { profileId } = useSession();
  const waiting = useOutbox(profileId, null);
  const area = useArea(profileId);
  const isHiding = area.error && errorCodeOf(area.error) === "HIDING";
  return (
    <>
      <ChatPlaces here="broadcast" />
      {isHiding ? <HiddenMember /> : <Broadcast area={area} account={profileId} waiting={waiting} />}
    </>
  );
}

type Area = ReturnType<typeof useArea>;

function Broadcast({ area, account, waiting }: { area: Area; account: number; waiting: readonly Outgoing[] }) {
  const words = useCopy(broadcastCopy);
  return (
    <div className={css.broadcast}>
      <Composer
        account={account}
        draftName="area"
        placeholder={words.areaPlaceholder}
        onSend={(message) => void outboxOf(account).add({ ...message, recipientProfileId: null })}
      />
      {waiting.map((item) => (
        <WaitingBubble key={item.clientId} item={item} account={account} />
      ))}
      {area.posts.length > 0 ? <Posts area={area} account={account} /> : <NoPosts area={area} />}
    </div>
  );
}

function Posts({ area, account }: { area: Area; account: number }) {
  const copy = useCopy(chatCopy);
  const words = useCopy(broadcastCopy);
  const toast = useToast();
  const [reported, setReported] = useState<Reported>();
  const [blocking, setBlocking] = useState<number>();
  const remove = trpc.messages.remove.useMutation({
    onSuccess: (_, { id }) => area.drop(Number(id)),
    onError: (error) => toast({ text: errorText(error), tone: "danger" }),
  });
  const decline = trpc.messages.declinePictures.useMutation({
    onError: (error) => toast({ text: errorText(error), tone: "danger" }),
  });
  return (
    <>
      {area.posts.map((post) => (
        <BroadcastPost
          key={post.id}
          post={post}
          own={post.senderProfileId === account}
          onDecline={() => decline.mutate({ id: post.id })}
          onRemove={() => remove.mutate({ id: post.id })}
          onBlock={() => setBlocking(post.senderProfileId)}
          onReport={() =>
            setReported({ subjectProfileId: post.senderProfileId, message: { id: post.id, source: "broadcast" } })
          }
        />
      ))}
      <div className={css.center}>
        {area.end ? (
          <p className={css.note}>{words.end}</p>
        ) : (
          <Button busy={area.loadingMore} onClick={area.loadMore}>
            {copy.loadMore}
          </Button>
        )}
      </div>
      <ReportDialog reported={reported} onClose={() => setReported(undefined)} />
      <BlockSheet profileId={blocking} onClose={() => setBlocking(undefined)} onBlocked={area.refresh} />
    </>
  );
}

function NoPosts({ area }: { area: Area }) {
  const copy = useCopy(chatCopy);
  const words = useCopy(broadcastCopy);
  if (area.pending) return <Skeleton shape="rows" count={5} label={copy.loading} />;
  if (!area.error) return <EmptyState figure="bench" title={words.noArea} text={words.noAreaHint} />;
  return (
    <ErrorState
      title={copy.failedToLoad}
      text={errorText(area.error)}
      retryLabel={copy.tryAgain}
      onRetry={area.refresh}
    />
  );
}

function HiddenMember() {
  const words = useCopy(broadcastCopy);
  return (
    <EmptyState
      figure="window"
      title={words.hiding}
      text={words.hidingHint}
      action={
        <Button variant="primary" icon="map" href="/search/map">
          {words.toMap}
        </Button>
      }
    />
  );
}

interface BlockSheetProps {
  /** Undefined while nobody is to be blocked. */
  profileId: number | undefined;
  onClose: () => void;
  onBlocked: () => void;
}

function BlockSheet({ profileId, onClose, onBlocked }: BlockSheetProps) {
  const copy = useCopy(chatCopy);
  const words = useCopy(broadcastCopy);
  const toast = useToast();
  const { block, isPending } = useBlock(() => {
    onClose();
    toast({ text: words.blocked, ms: BLOCKED_REDIRECT_MS });
    onBlocked();
  });
  return (
    <Sheet
      open={profileId !== undefined}
      onClose={onClose}
      title={words.blockTitle}
      closeLabel={copy.cancel}
      footer={
        <Button variant="danger" full busy={isPending} onClick={() => profileId !== undefined && block(profileId)}>
          {words.block}
        </Button>
      }
    >
      <p>{words.blockText}</p>
    </Sheet>
  );
}
