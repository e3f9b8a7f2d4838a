import { type PointerEvent, useState } from "react";
import { FROM_LIST } from "../../../components/MemberTile/profile-transition.ts";
import { releaseVerdict } from "../../../components/SwipeDeck/swipe-gesture.ts";
import { useDrag } from "../../../components/SwipeDeck/use-drag.ts";
import { useKeyboardShortcuts } from "../../../components/use-keyboard-shortcuts.ts";
import { goTo } from "../../../routing/navigation.ts";
import { findNeighbors } from "./neighbors.ts";

/** What a horizontal swipe means something else on. */
const OWN_SWIPE = "[data-strip], [role=menu], input, textarea, audio, dialog";

/** A finger moves over a picture that was enlarged, or text that was selected. */
const isReading = () => (visualViewport?.scale ?? 1) > 1.01 || getSelection()?.isCollapsed === false;

export type Turning = ReturnType<typeof useTurning>;

/** Turns from a profile to the next of the list it was opened from: by swipe, arrow key or button. */
export function useTurning(id: number) {
  const [{ previous, next }] = useState(() => findNeighbors(id));
  const turnTo = (other: number | undefined) =>
    other === undefined ? undefined : () => goTo(`/profile/${other}`, { replace: true, state: FROM_LIST });
  const [toPrevious, toNext] = [turnTo(previous), turnTo(next)];
  useKeyboardShortcuts({
    ArrowLeft: ({ repeat }) => !repeat && toPrevious?.(),
    ArrowRight: ({ repeat }) => !repeat && toNext?.(),
  });
  const drag = useDrag({
    onMove: () => undefined,
    onCancel: () => undefined,
    onRelease: ({ x, y }, speed) => {
      if (Math.abs(y) > Math.abs(x) || isReading()) return;
      const verdict = releaseVerdict({ x, y: 0 }, { x: speed.x, y: 0 });
      if (verdict) (verdict === "LIKE" ? toPrevious : toNext)?.();
    },
  });
  const handlers = {
    ...drag,
    // A mouse selects text.
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      const isOwn = event.target instanceof Element && event.target.closest(OWN_SWIPE);
      if (event.pointerType === "touch" && !isOwn) drag.onPointerDown(event);
    },
  };
  return { toPrevious, toNext, hasList: previous !== undefined || next !== undefined, handlers };
}
