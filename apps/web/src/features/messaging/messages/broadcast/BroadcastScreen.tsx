import { Banner } from "@lambda/ui/banner";
import { Button } from "@lambda/ui/button";
import { EmptyState } from "@lambda/ui/empty-state";
import { Link } from "@lambda/ui/link";
import { type CSSProperties, useState } from "react";
import { errorCodeOf } from "../../../../api/error-body.ts";
import { trpc } from "../../../../api/trpc.ts";
import { ClosableSheet } from "../../../../components/ClosableSheet.tsx";
import { LoadMore } from "../../../../components/LoadMore.tsx";
import { BlockedNotice } from "../../../../components/MemberActions/MemberMenu.tsx";
import { useBlock } from "../../../../components/MemberActions/use-block.ts";
import { QueryState } from "../../../../components/QueryState.tsx";
import { ReportDialog, type ReportTarget } from "../../../../components/ReportDialog/ReportDialog.tsx";
import { useFailureToast } from "../../../../components/use-failure-toast.ts";
import { useSession } from "../../../../session/session.ts";
import { ChatTabs } from "../ChatTabs.tsx";
import css from "../chat.module.css";
import { Composer } from "../composer/Composer.tsx";
import { useKeyboardInset } from "../conversation/use-keyboard-inset.ts";
import { WaitingBubble } from "../conversation/WaitingBubble.tsx";
import { useChatCopy } from "../copy.ts";
import { type OutgoingMessage, outboxOf } from "../outbox/outbox.ts";
import { useOutbox } from "../outbox/use-outbox.ts";
import { BroadcastPost } from "./BroadcastPost.tsx";
import { useBroadcastCopy } from "./copy.ts";
import { useArea } from "./use-area.ts";

/** The map chat: a composer, then the messages from members nearby, newest first. */
export default function BroadcastScreen() {
  const copy = useBroadcastCopy();
  const { profileId } = useSession();
  const waiting = useOutbox(profileId, null);
  const area = useArea(profileId);
  const isHiding = errorCodeOf(area.query.error) === "HIDING";
  return (
    <>
      <ChatTabs here="broadcast" />
      {isHiding ? (
        <EmptyState
          figure="window"
          title={copy.hiding}
          text={copy.hidingHint}
          action={<Button variant="primary" icon="map" href="/search/map" label={copy.toMap} />}
        />
      ) : (
        <Broadcast area={area} account={profileId} waiting={waiting} />
      )}
    </>
  );
}

type Area = ReturnType<typeof useArea>;

function Broadcast({ area, account, waiting }: { area: Area; account: number; waiting: readonly OutgoingMessage[] }) {
  const areaCopy = useBroadcastCopy();
  const { context } = useSession();
  const keyboardInset = useKeyboardInset();
  return (
    <div className={`centered ${css.broadcast}`} style={{ "--keyboard": `${keyboardInset}px` } as CSSProperties}>
      {context?.discreet ? (
        <Banner action={<Link href="/settings#visibility">{areaCopy.toSettings}</Link>}>{areaCopy.discreet}</Banner>
      ) : (
        <Composer
          account={account}
          draftName="area"
          placeholder={areaCopy.areaPlaceholder}
          onSend={(message) => void outboxOf(account).add({ ...message, recipientProfileId: null })}
        />
      )}
      {waiting.map((item) => (
        <WaitingBubble key={item.clientId} item={item} account={account} />
      ))}
      <Posts area={area} account={account} />
    </div>
  );
}

function Posts({ area, account }: { area: Area; account: number }) {
  const areaCopy = useBroadcastCopy();
  const [reported, setReported] = useState<ReportTarget>();
  const [profileToBlock, setProfileToBlock] = useState<number>();
  const remove = trpc.messages.remove.useMutation({
    onSuccess: (_, { id }) => area.removePost(Number(id)),
    onError: useFailureToast(),
  });
  const decline = trpc.messages.declinePictures.useMutation({ onError: useFailureToast() });
  return (
    <>
      {area.posts.map((post) => (
        <BroadcastPost
          key={post.id}
          post={post}
          own={post.senderProfileId === account}
          onDecline={() => decline.mutate({ id: post.id })}
          onRemove={() => remove.mutate({ id: post.id })}
          onBlock={() => setProfileToBlock(post.senderProfileId)}
          onReport={() =>
            setReported({ subjectProfileId: post.senderProfileId, message: { id: post.id, source: "broadcast" } })
          }
        />
      ))}
      {area.posts.length === 0 ? (
        <NoPosts query={area.query} />
      ) : area.query.hasNextPage ? (
        <LoadMore query={area.query} className="flex justify-center pad-4" />
      ) : (
        <div className="flex justify-center pad-4">
          <p className={css.note}>{areaCopy.end}</p>
        </div>
      )}
      <ReportDialog reported={reported} onClose={() => setReported(undefined)} />
      <BlockSheet
        profileId={profileToBlock}
        onClose={() => {
          setProfileToBlock(undefined);
          area.refresh();
        }}
      />
    </>
  );
}

function NoPosts({ query }: Pick<Area, "query">) {
  const copy = useChatCopy();
  const areaCopy = useBroadcastCopy();
  if (query.isPending || query.error)
    return <QueryState query={query} failed={copy.failedToLoad} shape="rows" count={5} label={copy.loading} />;
  return <EmptyState figure="bench" title={areaCopy.noArea} text={areaCopy.noAreaHint} />;
}

interface BlockSheetProps {
  /** Undefined while the sheet is closed. */
  profileId: number | undefined;
  onClose: () => void;
}

function BlockSheet({ profileId, onClose }: BlockSheetProps) {
  const copy = useBroadcastCopy();
  const blocking = useBlock(profileId);
  return (
    <ClosableSheet
      open={profileId !== undefined}
      onClose={onClose}
      title={copy.blockTitle}
      cancels
      footer={
        !blocking.blocked && (
          <Button variant="danger" full busy={blocking.isPending} label={copy.block} onClick={blocking.block} />
        )
      }
    >
      {blocking.blocked ? <BlockedNotice blocking={blocking} /> : <p>{copy.blockText}</p>}
    </ClosableSheet>
  );
}
