import { type ReactNode, useId } from "react";
import css from "./form-section.module.css";

export interface FormSectionProps {
  title: ReactNode;
  text?: ReactNode;
  /** Shown next to the title, e.g. a SaveState. */
  aside?: ReactNode;
  children: ReactNode;
}

/** A section of a long form; on a desktop its title is left of the fields. */
export function FormSection({ title, text, aside, children }: FormSectionProps) {
  const id = useId();
  return (
    <section className={css.section} aria-labelledby={id}>
      <div className={css.head}>
        <div className={css.line}>
          <h2 id={id} className={css.title}>
            {title}
          </h2>
          {aside}
        </div>
        {text && <p className={css.text}>{text}</p>}
      </div>
      <div className={css.fields}>{children}</div>
    </section>
  );
}
