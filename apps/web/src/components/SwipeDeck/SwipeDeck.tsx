import { classes } from "@lambda/ui/classes";
import { type Key, type MouseEvent, type ReactNode, type RefObject, useRef } from "react";
import { useKeyboardShortcuts } from "../use-keyboard-shortcuts.ts";
import css from "./swipe-deck.module.css";
import {
  cardRotation,
  type Drag,
  releaseVerdict,
  resistUpward,
  type SwipeVerdict,
  verdictAt,
  verdictStrength,
} from "./swipe-gesture.ts";
import { DRAG_THRESHOLD_PX, useDrag } from "./use-drag.ts";

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
  const undo = () => onUndo?.();
  useKeyboardShortcuts({
    ArrowRight: () => flyOff("LIKE"),
    ArrowLeft: () => flyOff("DISLIKE"),
    ArrowDown: () => flyOff("UNDETERMINED"),
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
      {children(flyOff)}
    </>
  );
}

const EXIT_MS = 220;
const SPRING_BACK_MS = 240;

const isMotionReduced = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/**
 * Makes the top card swipeable. It follows the finger without rerendering, exposes its verdict to CSS as --verdict and data-verdict,
 * and either springs back or flies off and then calls onVerdict.
 */
function useSwipe(card: RefObject<HTMLElement | null>, onVerdict: (verdict: SwipeVerdict) => void) {
  // A second verdict during the animation would apply to the next card.
  const flying = useRef(false);

  const show = (drag: Drag, atBottom: boolean) => {
    const element = card.current;
    if (!element) return;
    element.style.transform = `translate(${drag.x}px, ${drag.y}px) rotate(${cardRotation(drag, atBottom)}deg)`;
    element.style.setProperty("--verdict", String(verdictStrength(drag)));
    const verdict = verdictAt(drag, DRAG_THRESHOLD_PX);
    if (verdict) element.dataset.verdict = verdict;
    else delete element.dataset.verdict;
  };

  const flyOff = (verdict: SwipeVerdict, from: Drag = { x: 0, y: 0 }): void => {
    const element = card.current;
    if (!element || flying.current) return;
    flying.current = true;
    element.dataset.verdict = verdict;
    element.style.setProperty("--verdict", "1");
    animateOut(element, verdict, from).onfinish = () => {
      flying.current = false;
      onVerdict(verdict);
    };
  };

  const springBack = (): void => {
    const element = card.current;
    if (!element) return;
    const from = element.style.transform;
    element.style.transform = "";
    element.style.removeProperty("--verdict");
    delete element.dataset.verdict;
    if (isMotionReduced()) return;
    const easing = getComputedStyle(element).getPropertyValue("--spring").trim() || "ease-out";
    element.animate([{ transform: from }, { transform: "none" }], { duration: SPRING_BACK_MS, easing });
  };

  const drag = useDrag({
    onMove: (moved, atBottom) => show(resistUpward(moved), atBottom),
    onRelease: (moved, speed) => {
      const verdict = releaseVerdict(moved, speed);
      if (verdict) flyOff(verdict, moved);
      else springBack();
    },
    onCancel: springBack,
    disabled: () => flying.current,
  });
  // A drag that ends over the card's link must not follow it.
  const onClickCapture = (event: MouseEvent) => {
    if (card.current?.dataset.verdict) event.preventDefault();
  };
  return { handlers: { ...drag, onClickCapture }, flyOff };
}

/** Moves the card out of the window, or fades it if the member prefers reduced motion. */
function animateOut(element: HTMLElement, verdict: SwipeVerdict, from: Drag): Animation {
  const isReduced = isMotionReduced();
  const frames = isReduced ? [{ opacity: 1 }, { opacity: 0 }] : [{}, { transform: exitTransform(verdict, from) }];
  return element.animate(frames, { duration: isReduced ? 120 : EXIT_MS, easing: "ease-in", fill: "forwards" });
}

function exitTransform(verdict: SwipeVerdict, from: Drag): string {
  const distance = Math.max(innerWidth, 480);
  if (verdict === "UNDETERMINED") return `translate(${from.x}px, ${innerHeight}px) rotate(0deg)`;
  const direction = verdict === "LIKE" ? 1 : -1;
  return `translate(${direction * distance}px, ${from.y}px) rotate(${direction * 16}deg)`;
}
