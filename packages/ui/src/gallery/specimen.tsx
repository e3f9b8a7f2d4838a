import type { ReactNode } from "react";
import css from "../gallery.module.css";

/** A labeled box in the gallery that shows one primitive. */
export function Specimen({ name, wide, children }: { name: string; wide?: boolean; children: ReactNode }) {
  return (
    <section className={wide ? css.wide : css.specimen} aria-label={name}>
      <h2 className={css.name}>{name}</h2>
      <div className={css.stage}>{children}</div>
    </section>
  );
}
