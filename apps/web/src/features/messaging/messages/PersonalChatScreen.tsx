import { EmptyState } from "@lambda/ui/empty-state";
import { Skeleton } from "@lambda/ui/skeleton";
import { type CSSProperties, Suspense, useEffect, useRef, useState } from "react";
import { useSearchParams } from "wouter";
import { hrefOf } from "../../../routing/address.ts";
import { lazyScreen } from "../../../routing/lazy-part.tsx";
import { parseId } from "../../../routing/paths.ts";
import { useSession } from "../../../session/session.ts";
import { ChatTabs } from "./ChatTabs.tsx";
import css from "./chat.module.css";
import type { ThreadKey } from "./conversation/thread.ts";
import { useKeyboardInset } from "./conversation/use-keyboard-inset.ts";
import { useChatCopy } from "./copy.ts";
import { ConversationList } from "./list/ConversationList.tsx";

/** Loaded when the URL names a conversation, on the first press on the list, or two seconds after the list is shown. */
const ConversationView = lazyScreen(() => import("./conversation/ConversationView.tsx"));
const CONVERSATION_PRELOAD_DELAY_MS = 2000;

const pathOf = (key: ThreadKey) => `/chat/personal?${key.startsWith("p") ? "with" : "of"}=${key.slice(1)}`;

/**
 * The conversation list and the conversation that the URL selects: `?with=` a member, or `?of=` a message whose sender
 * is not visible. One pane on a phone, two on a desktop.
 */
export default function PersonalChatScreen() {
  const copy = useChatCopy();
  const { profileId } = useSession();
  const [search] = useSearchParams();
  const keyboardInset = useKeyboardInset();
  const current = { with: parseId(search.get("with")), of: parseId(search.get("of")) };
  const threadKey: ThreadKey | undefined = current.with
    ? `p${current.with}`
    : current.of
      ? `m${current.of}`
      : undefined;

  useEffect(() => {
    const timer = window.setTimeout(() => void ConversationView.preload(), CONVERSATION_PRELOAD_DELAY_MS);
    return () => window.clearTimeout(timer);
  }, []);

  const { list, conversation, openedFromList } = useSelectionFocus(threadKey);

  return (
    <div className={`grow relative ${css.layout}`}>
      <div
        className={`stack one-column cover ${css.panes}`}
        data-two
        style={{ "--keyboard": `${keyboardInset}px` } as CSSProperties}
      >
        <section
          ref={list}
          className={css.list}
          data-covered={threadKey ? true : undefined}
          aria-label={copy.conversations}
          tabIndex={-1}
          onPointerDown={() => void ConversationView.preload()}
        >
          <ChatTabs here="personal" />
          <ConversationList current={current} />
        </section>
        <section
          ref={conversation}
          className={css.conversation}
          data-empty={threadKey ? undefined : true}
          data-thread={threadKey ? true : undefined}
          aria-label={copy.conversation}
          tabIndex={-1}
        >
          {threadKey && profileId > 0 ? (
            <Suspense fallback={<Skeleton shape="rows" count={6} label={copy.loading} />}>
              <ConversationView
                key={threadKey}
                threadKey={threadKey}
                account={profileId}
                autoFocus={openedFromList && matchMedia("(pointer: fine)").matches}
              />
            </Suspense>
          ) : (
            <EmptyState figure="lamp" title={copy.pick} text={copy.pickHint} />
          )}
        </section>
      </div>
    </div>
  );
}

/**
 * Moves the focus into the selected conversation and back to its row in the list. Selecting one changes only the query
 * string, so the router does not move the focus.
 */
function useSelectionFocus(threadKey: ThreadKey | undefined) {
  const list = useRef<HTMLElement>(null);
  const conversation = useRef<HTMLElement>(null);
  const lastKey = useRef(threadKey);
  const [openedFromList, setOpenedFromList] = useState(false);
  useEffect(() => {
    const previous = lastKey.current;
    lastKey.current = threadKey;
    if (previous === threadKey) return;
    setOpenedFromList(threadKey !== undefined);
    const row = previous && list.current?.querySelector<HTMLElement>(`a[href="${hrefOf(pathOf(previous))}"]`);
    (threadKey ? conversation.current : (row ?? list.current))?.focus();
  }, [threadKey]);
  return { list, conversation, openedFromList };
}
