import { classes } from "@lambda/ui/classes";
import { type Key, type ReactNode, useRef } from "react";
import { useKeys } from "../use-keys.ts";
import css from "./swipe-deck.module.css";
import type { Verdict } from "./swipe-gesture.ts";
import { useSwipe } from "./use-swipe.ts";

export interface SwipeDeckProps {
  /** The top one first; only that one can be reached. */
  cards: readonly { readonly key: Key; readonly card: ReactNode }[];
  onVerdict: (verdict: Verdict) => void;
  onUndo?: (() => void) | undefined;
  /** Gives the stack its size. */
  className?: string | undefined;
  cardClassName?: string | undefined;
  /** What stands in the place of the cards when there are none. */
  empty?: ReactNode;
  /** What stands below the stack, given how to send the top card off. */
  children: (send: (verdict: Verdict) => void) => ReactNode;
}

/** A stack of cards: right likes, left dislikes, down skips, up is blocked. Keys and buttons send the top card off the same way. */
export function SwipeDeck({ cards, onVerdict, onUndo, className, cardClassName, empty, children }: SwipeDeckProps) {
  const top = useRef<HTMLDivElement>(null);
  const { handlers, flyOff } = useSwipe(top, onVerdict);
  const send = (verdict: Verdict) => flyOff(verdict);
  const undo = () => onUndo?.();
  useKeys({
    ArrowRight: () => send("LIKE"),
    ArrowLeft: () => send("DISLIKE"),
    ArrowDown: () => send("UNDETERMINED"),
    ArrowUp: () => undefined,
    ...(onUndo && { u: undo, z: undo, Backspace: undo }),
  });
  return (
    <>
      <div className={classes(css.stack, className)}>
        {cards.length === 0 && empty}
        {cards.map(({ key, card }, index) => (
          <div
            key={key}
            ref={index === 0 ? top : undefined}
            className={classes(css.card, cardClassName)}
            data-depth={index}
            inert={index > 0}
            {...(index === 0 && handlers)}
          >
            {card}
          </div>
        ))}
      </div>
      {children(send)}
    </>
  );
}
