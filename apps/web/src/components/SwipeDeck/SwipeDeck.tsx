import { classes } from "@lambda/ui/classes";
import { type Key, type ReactNode, useRef } from "react";
import { useKeyboardShortcuts } from "../use-keyboard-shortcuts.ts";
import css from "./swipe-deck.module.css";
import type { SwipeVerdict } from "./swipe-gesture.ts";
import { useSwipe } from "./use-swipe.ts";

export interface SwipeDeckProps {
  /** The top card first; only that one is interactive. */
  cards: readonly { readonly key: Key; readonly card: ReactNode }[];
  onVerdict: (verdict: SwipeVerdict) => void;
  onUndo?: (() => void) | undefined;
  /** Sets the size of the stack. */
  className?: string | undefined;
  cardClassName?: string | undefined;
  /** Shown if there are no cards. */
  empty?: ReactNode;
  /** Rendered below the stack; gets the function that swipes the top card away. */
  children: (swipe: (verdict: SwipeVerdict) => void) => ReactNode;
}

/** A stack of cards: right likes, left dislikes, down skips, up does nothing. Keys and buttons swipe the top card the same way. */
export function SwipeDeck({ cards, onVerdict, onUndo, className, cardClassName, empty, children }: SwipeDeckProps) {
  const top = useRef<HTMLDivElement>(null);
  const { handlers, flyOff } = useSwipe(top, onVerdict);
  const swipe = (verdict: SwipeVerdict) => flyOff(verdict);
  const undo = () => onUndo?.();
  useKeyboardShortcuts({
    ArrowRight: () => swipe("LIKE"),
    ArrowLeft: () => swipe("DISLIKE"),
    ArrowDown: () => swipe("UNDETERMINED"),
    ArrowUp: () => undefined,
    ...(onUndo && { u: undo, z: undo, Backspace: undo }),
  });
  return (
    <>
      <div className={classes("relative", className)}>
        {cards.length === 0 && empty}
        {cards.map(({ key, card }, index) => (
          <div
            key={key}
            ref={index === 0 ? top : undefined}
            className={classes("cover raised radius-3 clip", css.card, cardClassName)}
            data-depth={index}
            inert={index > 0}
            {...(index === 0 && handlers)}
          >
            {card}
          </div>
        ))}
      </div>
      {children(swipe)}
    </>
  );
}
