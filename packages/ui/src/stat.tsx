import type { ReactNode } from "react";
import css from "./stat.module.css";

/** A number with a label. Put several of them into a StatRow. */
export function Stat({ label, value }: { label: ReactNode; value: ReactNode }) {
  return (
    <div className={`stack ${css.stat}`}>
      <dt className="muted">{label}</dt>
      <dd className={css.value}>{value}</dd>
    </div>
  );
}

export function StatRow({ children }: { children: ReactNode }) {
  return <dl className={`stack ${css.row}`}>{children}</dl>;
}
