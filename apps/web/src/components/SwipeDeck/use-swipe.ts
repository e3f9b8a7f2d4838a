import { type MouseEvent, type PointerEvent, type RefObject, useRef } from "react";
import { certainty, type Drag, heldBack, releaseVerdict, turnOf, type Verdict, verdictAt } from "./swipe-gesture.ts";

const OUT_MS = 220;
const BACK_MS = 240;
/** Before this a touch is still a tap, a link or a scroll. */
const SLACK_PX = 6;

const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

interface Hold {
  readonly pointer: number;
  readonly x: number;
  readonly y: number;
  readonly atFoot: boolean;
  last: { x: number; y: number; at: number };
  speed: Drag;
  moving: boolean;
}

/**
 * The top card under a finger: it follows without React, tells its verdict through --verdict and data-verdict, springs
 * back, or flies off and then calls onVerdict.
 */
export function useSwipe(card: RefObject<HTMLElement | null>, onVerdict: (verdict: Verdict) => void) {
  const hold = useRef<Hold>(undefined);
  // A second verdict while a card flies would fall on the man below it.
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
    const far = Math.max(innerWidth, 480);
    const to =
      verdict === "LIKE"
        ? `${far}px, ${from.y}px`
        : verdict === "DISLIKE"
          ? `${-far}px, ${from.y}px`
          : `${from.x}px, ${innerHeight}px`;
    const lean = verdict === "UNDETERMINED" ? 0 : verdict === "LIKE" ? 16 : -16;
    const frames = calm()
      ? [{ opacity: 1 }, { opacity: 0 }]
      : [{}, { transform: `translate(${to}) rotate(${lean}deg)` }];
    const flight = element.animate(frames, { duration: calm() ? 120 : OUT_MS, easing: "ease-in", fill: "forwards" });
    flight.onfinish = () => {
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
    if (calm()) return;
    const easing = getComputedStyle(element).getPropertyValue("--spring").trim() || "ease-out";
    element.animate([{ transform: from }, { transform: "none" }], { duration: BACK_MS, easing });
  };

  const handlers = {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.button !== 0 || hold.current || flying.current) return;
      const box = event.currentTarget.getBoundingClientRect();
      const { clientX: x, clientY: y } = event;
      hold.current = {
        pointer: event.pointerId,
        x,
        y,
        atFoot: y > box.top + box.height * 0.6,
        last: { x, y, at: event.timeStamp },
        speed: { x: 0, y: 0 },
        moving: false,
      };
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      const held = hold.current;
      if (!held || held.pointer !== event.pointerId) return;
      const drag = { x: event.clientX - held.x, y: event.clientY - held.y };
      if (!held.moving) {
        if (Math.hypot(drag.x, drag.y) < SLACK_PX) return;
        held.moving = true;
        event.currentTarget.setPointerCapture(event.pointerId);
      }
      const time = Math.max(1, event.timeStamp - held.last.at);
      held.speed = { x: (event.clientX - held.last.x) / time, y: (event.clientY - held.last.y) / time };
      held.last = { x: event.clientX, y: event.clientY, at: event.timeStamp };
      show(heldBack(drag), held.atFoot);
    },
    onPointerUp: (event: PointerEvent<HTMLElement>) => {
      const held = hold.current;
      if (!held || held.pointer !== event.pointerId) return;
      hold.current = undefined;
      if (!held.moving) return;
      const drag = { x: event.clientX - held.x, y: event.clientY - held.y };
      const verdict = releaseVerdict(drag, event.timeStamp - held.last.at < 80 ? held.speed : { x: 0, y: 0 });
      if (verdict) flyOff(verdict, drag);
      else springBack();
    },
    onPointerCancel: () => {
      if (hold.current?.moving) springBack();
      hold.current = undefined;
    },
    // A drag that ends over the card's link is no press of it.
    onClickCapture: (event: MouseEvent) => {
      if (card.current?.dataset.verdict) event.preventDefault();
    },
  };
  return { handlers, flyOff };
}
