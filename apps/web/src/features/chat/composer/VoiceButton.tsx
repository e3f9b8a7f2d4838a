import { IconButton } from "@lambda/ui/icon-button";
import { useHold } from "../../../components/use-hold.ts";
import { useCopy } from "../../../format/i18n.ts";
import css from "../chat.module.css";
import { chatCopy } from "../copy.ts";

interface VoiceButtonProps {
  /** @param isHeld the button is still pressed */
  onOpen: (isHeld: boolean) => void;
  /** After a hold. */
  onRelease: () => void;
}

/** A tap opens the recorder; a hold also records until it is let go. */
export function VoiceButton({ onOpen, onRelease }: VoiceButtonProps) {
  const copy = useCopy(chatCopy);
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
