import { REACTIONS } from "@lambda/contract/events";
import type { Reaction } from "@lambda/contract/messages";
import { Drawing } from "@lambda/ui/icon";
import type { MouseEvent } from "react";
import css from "../chat.module.css";
import { useChatCopy } from "../copy.ts";

const FACE = "M12 20.5a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17";
const PATHS: Record<Reaction, string> = {
  heart: "M12 20S3.7 15.3 3.7 9.4A4.6 4.6 0 0 1 12 6.7a4.6 4.6 0 0 1 8.3 2.7C20.3 15.3 12 20 12 20",
  fire: "M12 21c4 0 6.5-2.6 6.5-6.2 0-4.6-4.4-6-4.8-11.3-3.2 1.6-4 4.6-3.7 7-1.2-.5-1.8-1.6-1.9-2.8-1.6 1.6-2.6 3.9-2.6 6.6C5.5 18.4 8 21 12 21",
  laugh: `${FACE}M7.8 13h8.4a4.2 4.2 0 0 1-8.4 0M8.3 9.8l1.2-1.2 1.2 1.2M13.3 9.8l1.2-1.2 1.2 1.2`,
  wow: `${FACE}M9 9.3h.01M15 9.3h.01M12 17a2 2.4 0 1 0 0-4.8 2 2.4 0 0 0 0 4.8`,
  sad: `${FACE}M9 9.8h.01M15 9.8h.01M8.5 16.2a4.6 4.6 0 0 1 7 0`,
  thumb:
    "M7 19.5v-10M7 19.5H4.5A1.5 1.5 0 0 1 3 18v-7a1.5 1.5 0 0 1 1.5-1.5H7l4.5-6.2c1.7 0 2.5 1.2 2.2 2.8l-.7 3.4h5.7a2 2 0 0 1 2 2.4l-1.1 6a2 2 0 0 1-2 1.6z",
};

function ReactionIcon({ reaction, size }: { reaction: Reaction; size: number }) {
  return <Drawing path={PATHS[reaction]} isFilled={reaction === "heart"} size={size} />;
}

export function ReactionMark({ reaction, own }: { reaction: Reaction; own: boolean }) {
  const copy = useChatCopy();
  const name = copy.reactions[reaction];
  return (
    <span className={`raised radius-round ${css.reaction}`} data-mine={!own || undefined}>
      <ReactionIcon reaction={reaction} size={18} />
      <span className="visually-hidden">{own ? copy.heReacted(name) : copy.youReacted(name)}</span>
    </span>
  );
}

interface ReactionChoiceProps {
  chosen: Reaction | undefined;
  onChoose: (reaction: Reaction | null, event: MouseEvent<HTMLButtonElement>) => void;
}

/** Choosing the same again takes it back. */
export function ReactionChoice({ chosen, onChoose }: ReactionChoiceProps) {
  const copy = useChatCopy();
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for a form
    <span className={`wrap ${css.reactions}`} role="group" aria-label={copy.react}>
      {REACTIONS.map((reaction) => (
        <button
          key={reaction}
          type="button"
          aria-label={copy.reactions[reaction]}
          aria-pressed={reaction === chosen}
          onClick={(event) => onChoose(reaction === chosen ? null : reaction, event)}
        >
          <ReactionIcon reaction={reaction} size={24} />
        </button>
      ))}
    </span>
  );
}
