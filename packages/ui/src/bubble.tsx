import type { ReactNode } from "react";
import css from "./bubble.module.css";
import { classes } from "./classes.ts";
import { Icon } from "./icon.tsx";

export interface BubbleProps {
  own?: boolean;
  /** Where it stands among his messages in a row; only the last one of a group has a tail. */
  place?: "only" | "first" | "middle" | "last";
  /** Own messages: a clock, one tick, two ticks, two ticks in the accent, a warning. */
  state?: "sending" | "sent" | "delivered" | "seen" | "failed";
  /** The state in words. */
  stateLabel?: string;
  /** Avatar of the other man, beside the last one of a group. */
  avatar?: ReactNode;
  /** Picture elements: shown without frame, above the text. */
  pictures?: ReactNode;
  children?: ReactNode;
  /** Shown below after a tap: sent and seen times. */
  times?: ReactNode;
  onToggleTimes?: () => void;
  timesOpen?: boolean;
  /** Name of the tap, e.g. "Show times". */
  timesLabel?: string;
}

const STATE_ICON = {
  sending: "clock",
  sent: "check",
  delivered: "check-double",
  seen: "check-double",
  failed: "warning",
} as const;

export function Bubble(props: BubbleProps) {
  const { own, place = "only", state, stateLabel, avatar, pictures, children, times } = props;
  const { onToggleTimes, timesOpen, timesLabel } = props;
  const ends = place === "only" || place === "last";
  const ticks = own && state && (
    <span className={classes(css.ticks, css[state])}>
      <Icon name={STATE_ICON[state]} size={16} />
      {stateLabel && <span className={css.words}>{stateLabel}</span>}
    </span>
  );
  const face = classes(css.bubble, own ? css.own : css.other, css[place]);
  const text = (
    <>
      <span className={css.text}>{children}</span>
      {ticks}
    </>
  );
  return (
    <div className={classes(css.line, own && css.right, !ends && css.inner)}>
      {!own && avatar !== undefined && <span className={css.avatar}>{ends && avatar}</span>}
      <div className={css.column}>
        {pictures && <div className={css.pictures}>{pictures}</div>}
        {children ? (
          onToggleTimes ? (
            <button
              type="button"
              className={face}
              aria-expanded={timesOpen ?? false}
              aria-description={timesLabel}
              onClick={onToggleTimes}
            >
              {text}
            </button>
          ) : (
            <div className={face}>{text}</div>
          )
        ) : (
          ticks
        )}
        {timesOpen && times && <div className={css.times}>{times}</div>}
      </div>
    </div>
  );
}
