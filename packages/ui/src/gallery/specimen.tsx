import type { ReactNode } from "react";
import css from "../gallery.module.css";

/** A labeled box in the gallery that shows one primitive. */
export function Specimen({ name, wide, children }: { name: string; wide?: boolean; children: ReactNode }) {
  return (
    <section className={wide ? css.wide : "min-0"} aria-label={name}>
      <h2 className={`ruled muted ${css.name}`}>{name}</h2>
      <div className="stack gap-4 min-0">{children}</div>
    </section>
  );
}
