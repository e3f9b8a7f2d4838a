import { REACTIONS } from "@lambda/contract/events";
import type { Reaction } from "@lambda/contract/messages";
import { Icon, type IconName } from "@lambda/ui/icon";
import { VisuallyHidden } from "@lambda/ui/visually-hidden";
import type { MouseEvent } from "react";
import { useCopy } from "../../../format/i18n.ts";
import css from "../chat.module.css";
import { chatCopy } from "../copy.ts";

const ICONS: Record<Reaction, IconName> = {
  heart: "heart-filled",
  fire: "fire",
  laugh: "laugh",
  wow: "wow",
  sad: "sad",
  thumb: "thumb",
};

/** The recipient's reaction, at the corner of a message. */
export function ReactionMark({ reaction, own }: { reaction: Reaction; own: boolean }) {
  const copy = useCopy(chatCopy);
  const name = copy.reactions[reaction];
  return (
    <span className={css.reaction} data-mine={!own || undefined}>
      <Icon name={ICONS[reaction]} size={18} />
      <VisuallyHidden>{own ? copy.heReacted(name) : copy.youReacted(name)}</VisuallyHidden>
    </span>
  );
}

interface ReactionChoiceProps {
  chosen: Reaction | undefined;
  onChoose: (reaction: Reaction | null, event: MouseEvent<HTMLButtonElement>) => void;
}

/** Choosing the same again takes it back. */
export function ReactionChoice({ chosen, onChoose }: ReactionChoiceProps) {
  const copy = useCopy(chatCopy);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for a form
    <span className={css.reactions} role="group" aria-label={copy.react}>
      {REACTIONS.map((reaction) => (
        <button
          key={reaction}
          type="button"
          aria-label={copy.reactions[reaction]}
          aria-pressed={reaction === chosen}
          onClick={(event) => onChoose(reaction === chosen ? null : reaction, event)}
        >
          <Icon name={ICONS[reaction]} size={24} />
        </button>
      ))}
    </span>
  );
}
