import type { ReactNode } from "react";
import css from "./stat.module.css";

export interface StatProps {
  label: ReactNode;
  value: ReactNode;
  /** Puts the number into context, e.g. "12 more than yesterday". */
  text?: ReactNode;
}

/** A number with a label. Put several of them into a StatRow. */
export function Stat({ label, value, text }: StatProps) {
  return (
    <div className={css.stat}>
      <dt className="muted">{label}</dt>
      <dd className={css.value}>{value}</dd>
      {text && <dd className="muted">{text}</dd>}
    </div>
  );
}

export function StatRow({ children }: { children: ReactNode }) {
  return <dl className={`wrap ${css.row}`}>{children}</dl>;
}
