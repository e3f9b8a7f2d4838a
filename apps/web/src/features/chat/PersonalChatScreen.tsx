import { EmptyState } from "@lambda/ui/empty-state";
import type { CSSProperties } from "react";
import { useSearchParams } from "wouter";
import { useCopy } from "../../lib/i18n.ts";
import { useSession } from "../../lib/session.ts";
import css from "./chat.module.css";
import { chatCopy } from "./copy.ts";
import { ChatPlaces } from "./parts/ChatPlaces.tsx";
import { ConversationList } from "./parts/ConversationList.tsx";
import { ConversationView } from "./parts/ConversationView.tsx";
import type { ThreadKey } from "./thread.ts";
import { useKeyboardInset } from "./use-keyboard-inset.ts";

/** A positive integer of the address, or undefined. */
function idOf(value: string | null): number | undefined {
  return value && /^[1-9]\d{0,15}$/.test(value) ? Number(value) : undefined;
}

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
  return (
    <div className={css.room}>
      <div className={css.panes} data-two style={{ "--keyboard": `${keyboard}px` } as CSSProperties}>
        <section className={css.list} data-covered={name ? true : undefined} aria-label={copy.conversations}>
          <ChatPlaces here="personal" />
          <ConversationList current={current} />
        </section>
        <section className={css.conversation} data-empty={name ? undefined : true}>
          {name && profileId > 0 ? (
            <ConversationView key={name} name={name} account={profileId} />
          ) : (
            <EmptyState figure="lamp" title={copy.pick} text={copy.pickHint} />
          )}
        </section>
      </div>
    </div>
  );
}
