import css from "./badge.module.css";

export interface BadgeProps {
  count: number;
  /** Shown as e.g. "99+" beyond. */
  max?: number;
  /** Accessible text such as "3 unread messages"; without it screen readers read only the number. */
  label?: string;
}

export function Badge({ count, max = 99, label }: BadgeProps) {
  return (
    <span className={css.badge}>
      <span aria-hidden={label ? true : undefined}>{count > max ? `${max}+` : count}</span>
      {label && <span className="visually-hidden">{label}</span>}
    </span>
  );
}
