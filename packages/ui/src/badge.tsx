import css from "./badge.module.css";
import { classes } from "./classes.ts";

export interface BadgeProps {
  /** Shown as 99+ from 100 on; absent draws a dot. */
  count?: number;
  /** What is counted, in words: "3 unread messages"; without it the number alone is read. */
  label?: string;
  tone?: "accent" | "quiet";
}

/** A count that waits. Accent for what needs attention, quiet for a mere number. */
export function Badge({ count, label, tone = "accent" }: BadgeProps) {
  const text = count === undefined ? "" : count > 99 ? "99+" : String(count);
  return (
    <span className={classes(css.badge, css[tone], count === undefined && css.dot)}>
      <span aria-hidden={label ? true : undefined}>{text}</span>
      {label && <span className={css.words}>{label}</span>}
    </span>
  );
}
