import type { HTMLAttributes, ReactNode } from "react";
import css from "./bubble.module.css";
import { classes } from "./classes.ts";
import { Icon } from "./icon.tsx";

export interface BubbleProps {
  own?: boolean;
  /** Position within consecutive messages of one sender; only the last one has a tail. */
  groupPosition?: "only" | "first" | "middle" | "last";
  /** Delivery state of own messages: a clock, one tick, two ticks, two accent-colored ticks, a warning. */
  state?: "sending" | "sent" | "delivered" | "seen" | "failed";
  stateLabel?: string;
  /** Avatar of the other member, shown next to the last message of a group. */
  avatar?: ReactNode;
  /** Pictures, shown above the text without a bubble. */
  pictures?: ReactNode;
  children?: ReactNode;
  /** The message that this one answers, above the bubble. */
  quote?: ReactNode;
  /** A reaction, at the lower corner. */
  mark?: ReactNode;
  /** A button beside the bubble, for a mouse over the message. What it does needs another way for touch and keys. */
  aside?: ReactNode;
  /** Handlers on the whole message, as for a long press. */
  handlers?: HTMLAttributes<HTMLElement>;
  /** When the message was sent and seen, shown below after a tap. */
  times?: ReactNode;
  onToggleTimes?: () => void;
  timesOpen?: boolean;
  /** Accessible description of the tap, e.g. "Show times". */
  timesLabel?: string;
  /** Short time, in the last line; serves as the toggle if the bubble cannot be tapped itself (only pictures, or a link inside). */
  time?: string;
  /** The bubble contains a link or button, so it cannot be a button itself. */
  hasLink?: boolean;
  /** Names the sender for screen readers, because they cannot see on which side the bubble is. */
  senderLabel?: string;
  /** Whether the Tab key reaches the bubble; otherwise only the log's arrow keys do. */
  tabStop?: boolean;
}

const STATE_ICON = {
  sending: "clock",
  sent: "check",
  delivered: "check-double",
  seen: "check-double",
  failed: "warning",
} as const;

const TONES: Partial<Record<keyof typeof STATE_ICON, string>> = { seen: "accent", failed: "danger" };

export function Bubble(props: BubbleProps) {
  const { own, groupPosition = "only", state, stateLabel, avatar, pictures, children, times } = props;
  const { onToggleTimes, timesOpen, timesLabel, time, hasLink, senderLabel, tabStop = true } = props;
  const { quote, mark, aside, handlers } = props;
  const isLast = groupPosition === "only" || groupPosition === "last";
  const ticks = own && state && (
    <span className={classes("relative inline-row muted", TONES[state])}>
      <Icon name={STATE_ICON[state]} size={16} />
      {stateLabel && <span className="visually-hidden">{stateLabel}</span>}
    </span>
  );
  const isBubbleToggle = onToggleTimes && !hasLink;
  const side = own ? "own" : "other";
  const bubbleClass = `wrap relative text-start ${css.bubble} ${css[side]} ${css[groupPosition]}`;
  const text = (
    <>
      {senderLabel && <span className="visually-hidden">{senderLabel}</span>}
      <span className={`min-0 break-anywhere ${css.text}`} dir="auto">
        {children}
      </span>
      <span className={`inline-row gap-1 muted type-mark ${css.meta}`}>
        {/* Read out with the other times, once they are shown. */}
        {isBubbleToggle && <span aria-hidden="true">{time}</span>}
        {ticks}
      </span>
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
  return (
    <div className={classes("flex gap-2", css.line, own && css.right, !isLast && css.inner)}>
      {!own && avatar !== undefined && <span className={`flex-none ${css.avatar}`}>{isLast && avatar}</span>}
      <div {...handlers} className={`stack items-start min-0 ${css.column}`}>
        {quote}
        {pictures && <div className={`stack clip ${css.pictures}`}>{pictures}</div>}
        {children ? (
          toggle && isBubbleToggle ? (
            <button {...toggle} className={bubbleClass}>
              {text}
            </button>
          ) : (
            <div className={bubbleClass}>{text}</div>
          )
        ) : (
          !toggle && ticks
        )}
        {toggle && (hasLink || !children) && (
          <button {...toggle} className={`tap-target relative muted type-mark ${css.foot}`}>
            {!children && senderLabel && <span className="visually-hidden">{senderLabel}</span>}
            {time}
            {!children && ticks}
          </button>
        )}
        {mark && <span className={css.mark}>{mark}</span>}
        {timesOpen && times && <div className={`muted type-mark ${css.times}`}>{times}</div>}
      </div>
      {aside && <span className={css.aside}>{aside}</span>}
    </div>
  );
}
