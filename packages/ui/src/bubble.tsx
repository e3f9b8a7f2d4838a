import type { ReactNode } from "react";
import css from "./bubble.module.css";
import { classes } from "./classes.ts";
import { Icon } from "./icon.tsx";

export interface BubbleProps {
  own?: boolean;
  /** Where it stands among one sender's messages in a row; only the last one of a group has a tail. */
  place?: "only" | "first" | "middle" | "last";
  /** Own messages: a clock, one tick, two ticks, two ticks in the accent, a warning. */
  state?: "sending" | "sent" | "delivered" | "seen" | "failed";
  /** The state in words. */
  stateLabel?: string;
  /** Avatar of the other member, beside the last one of a group. */
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
  /** Short time; where the bubble itself cannot be tapped (pictures alone, a link inside) it is what one taps. */
  time?: string;
  /** The bubble holds a link or a button of its own, so it is none. */
  holdsLink?: boolean;
  /** Whose it is, in words, for those who do not see the sides. */
  by?: string;
  /** false: reached by the log's arrow keys, not by Tab. */
  tabStop?: boolean;
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
  const { onToggleTimes, timesOpen, timesLabel, time, holdsLink, by, tabStop = true } = props;
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
      {by && <span className={css.words}>{by}</span>}
      <span className={css.text}>{children}</span>
      {ticks}
    </>
  );
  const toggle = onToggleTimes && {
    type: "button" as const,
    "aria-expanded": timesOpen ?? false,
    "aria-description": timesLabel,
    "data-stop": "",
    tabIndex: tabStop ? 0 : -1,
    onClick: onToggleTimes,
  };
  const inFace = toggle && !holdsLink;
  return (
    <div className={classes(css.line, own && css.right, !ends && css.inner)}>
      {!own && avatar !== undefined && <span className={css.avatar}>{ends && avatar}</span>}
      <div className={css.column}>
        {pictures && <div className={css.pictures}>{pictures}</div>}
        {children ? (
          inFace ? (
            <button {...toggle} className={face}>
              {text}
            </button>
          ) : (
            <div className={face}>{text}</div>
          )
        ) : (
          !toggle && ticks
        )}
        {toggle && (holdsLink || !children) && (
          <button {...toggle} className={css.foot}>
            {!children && by && <span className={css.words}>{by}</span>}
            {time}
            {!children && ticks}
          </button>
        )}
        {timesOpen && times && <div className={css.times}>{times}</div>}
      </div>
    </div>
  );
}
