import { type MouseEvent, type RefObject, useRef } from "react";
import { certainty, type Drag, heldBack, releaseVerdict, turnOf, type Verdict, verdictAt } from "./swipe-gesture.ts";
import { SLACK_PX, useDrag } from "./use-drag.ts";

const OUT_MS = 220;
const BACK_MS = 240;

const isMotionReduced = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/**
 * The top card under a finger: it follows without React, tells its verdict through --verdict and data-verdict, springs
 * back, or flies off and then calls onVerdict.
 */
export function useSwipe(card: RefObject<HTMLElement | null>, onVerdict: (verdict: Verdict) => void) {
  // A second verdict while a card flies would fall on the card below it.
  const flying = useRef(false);

  const show = (drag: Drag, atFoot: boolean) => {
    const element = card.current;
    if (!element) return;
    element.style.transform = `translate(${drag.x}px, ${drag.y}px) rotate(${turnOf(drag, atFoot)}deg)`;
    element.style.setProperty("--verdict", String(certainty(drag)));
    const verdict = verdictAt(drag, SLACK_PX);
    if (verdict) element.dataset.verdict = verdict;
    else delete element.dataset.verdict;
  };

  /** Sends the card off by itself: a button or a key decided, or a finger let go. */
  const flyOff = (verdict: Verdict, from: Drag = { x: 0, y: 0 }): void => {
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
    element.animate([{ transform: from }, { transform: "none" }], { duration: BACK_MS, easing });
  };

  const drag = useDrag({
    onMove: (moved, atFoot) => show(heldBack(moved), atFoot),
    onRelease: (moved, speed) => {
      const verdict = releaseVerdict(moved, speed);
      if (verdict) flyOff(verdict, moved);
      else springBack();
    },
    onCancel: springBack,
    disabled: () => flying.current,
  });
  // A drag that ends over the card's link is no press of it.
  const onClickCapture = (event: MouseEvent) => {
    if (card.current?.dataset.verdict) event.preventDefault();
  };
  return { handlers: { ...drag, onClickCapture }, flyOff };
}

/** The card's flight, or its fading where the member wants less motion. */
function animateOut(element: HTMLElement, verdict: Verdict, from: Drag): Animation {
  const still = isMotionReduced();
  const frames = still ? [{ opacity: 1 }, { opacity: 0 }] : [{}, { transform: wayOut(verdict, from) }];
  return element.animate(frames, { duration: still ? 120 : OUT_MS, easing: "ease-in", fill: "forwards" });
}

/** The transform that takes a card out of the window. */
function wayOut(verdict: Verdict, from: Drag): string {
  const far = Math.max(innerWidth, 480);
  if (verdict === "UNDETERMINED") return `translate(${from.x}px, ${innerHeight}px) rotate(0deg)`;
  const way = verdict === "LIKE" ? 1 : -1;
  return `translate(${way * far}px, ${from.y}px) rotate(${way * 16}deg)`;
}
