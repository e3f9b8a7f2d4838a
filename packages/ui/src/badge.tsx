import css from "./badge.module.css";
import { classes } from "./classes.ts";

export interface BadgeProps {
  /** Without a count the badge is a dot. */
  count?: number;
  /** Shown as e.g. "99+" beyond. */
  max?: number;
  /** Accessible text such as "3 unread messages"; without it screen readers read only the number. */
  label?: string;
}

export function Badge({ count, max = 99, label }: BadgeProps) {
  const text = count === undefined ? "" : count > max ? `${max}+` : String(count);
  return (
    <span className={classes(css.badge, count === undefined && css.dot)}>
      <span aria-hidden={label ? true : undefined}>{text}</span>
      {label && <span className="visually-hidden">{label}</span>}
    </span>
  );
}
