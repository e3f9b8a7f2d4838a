import { EmptyState } from "@lambda/ui/empty-state";
import { Skeleton } from "@lambda/ui/skeleton";
import { type CSSProperties, Suspense, useEffect, useRef, useState } from "react";
import { useSearchParams } from "wouter";
import { useCopy } from "../../format/i18n.ts";
import { lazyScreen } from "../../routing/lazy-screen.ts";
import { useSession } from "../../session/session.ts";
import { ChatPlaces } from "./ChatPlaces.tsx";
import css from "./chat.module.css";
import type { ThreadKey } from "./conversation/thread.ts";
import { useKeyboardInset } from "./conversation/use-keyboard-inset.ts";
import { chatCopy } from "./copy.ts";
import { ConversationList } from "./list/ConversationList.tsx";

/** The list needs nothing of it: fetched with the address that names a conversation, the first press on the list, or once the list stands. */
const ConversationView = lazyScreen(() => import("./conversation/ConversationView.tsx"));
const CONVERSATION_DELAY_MS = 2000;

/** A positive integer of the address, or undefined. */
function idOf(value: string | null): number | undefined {
  return value && /^[1-9]\d{0,15}$/.test(value) ? Number(value) : undefined;
}

const addressOf = (name: ThreadKey) => `/chat/personal?${name.startsWith("p") ? "with" : "of"}=${name.slice(1)}`;

/**
 * The conversations, and the one that the address names: `?with=` a member, or `?of=` a message while its sender is not
 * visible. One pane on a phone, two on a desktop.
 */
export default function PersonalChatScreen() {
  const copy = useCopy(chatCopy);
  const { profileId } = useSession();
  const [search] = useSearchParams();
  const keyboard = useKeyboardInset();
  const current = { with: idOf(search.get("with")), of: idOf(search.get("of")) };
  const name: ThreadKey | undefined = current.with ? `p${current.with}` : current.of ? `m${current.of}` : undefined;

  useEffect(() => {
    const timer = window.setTimeout(() => void ConversationView.preload(), CONVERSATION_DELAY_MS);
    return () => window.clearTimeout(timer);
  }, []);

  // Within this screen the address changes, not the route: the focus goes along, and back.
  const list = useRef<HTMLElement>(null);
  const conversation = useRef<HTMLElement>(null);
  const before = useRef(name);
  const [opened, setOpened] = useState(false);
  useEffect(() => {
    const from = before.current;
    before.current = name;
    if (from === name) return;
    setOpened(name !== undefined);
    const row = from && list.current?.querySelector<HTMLElement>(`a[href="${addressOf(from)}"]`);
    (name ? conversation.current : (row ?? list.current))?.focus();
  }, [name]);

  return (
    <div className={css.layout}>
      <div className={css.panes} data-two style={{ "--keyboard": `${keyboard}px` } as CSSProperties}>
        <section
          ref={list}
          className={css.list}
          data-covered={name ? true : undefined}
          aria-label={copy.conversations}
          tabIndex={-1}
          onPointerDown={() => void ConversationView.preload()}
        >
          <ChatPlaces here="personal" />
          <ConversationList current={current} />
        </section>
        <section
          ref={conversation}
          className={css.conversation}
          data-empty={name ? undefined : true}
          aria-label={copy.conversation}
          tabIndex={-1}
        >
          {name && profileId > 0 ? (
            <Suspense fallback={<Skeleton shape="rows" count={6} label={copy.loading} />}>
              <ConversationView
                key={name}
                name={name}
                account={profileId}
                typesAtOnce={opened && matchMedia("(pointer: fine)").matches}
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
