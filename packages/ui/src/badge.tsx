import css from "./badge.module.css";

export interface BadgeProps {
  count: number;
  /** Shown as e.g. "99+" beyond. */
  max?: number;
  /** Accessible text such as "3 unread messages". */
  label: string | undefined;
}

export function Badge({ count, max = 99, label }: BadgeProps) {
  return (
    <span className={css.badge}>
      <span aria-hidden="true">{count > max ? `${max}+` : count}</span>
      <span className="visually-hidden">{label}</span>
    </span>
  );
}
