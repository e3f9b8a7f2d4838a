import type { ReactNode } from "react";
import css from "./page-title.module.css";

export interface PageTitleProps {
  children: ReactNode;
  /** One line below. */
  text?: ReactNode;
  /** At the end of the line: a count, a button. */
  aside?: ReactNode;
  /** Takes the title's place: an error of the whole application. */
  error?: boolean;
  /** Full display size, for the few pages that open with words. */
  big?: boolean;
}

/** The page's only h1. */
export function PageTitle({ children, text, aside, error, big }: PageTitleProps) {
  return (
    <div className={css.title}>
      <div className={css.line}>
        <h1
          className={big ? css.big : undefined}
          data-error={error || undefined}
          aria-live={error ? "assertive" : undefined}
        >
          {children}
        </h1>
        {aside && <div className={css.aside}>{aside}</div>}
      </div>
      {text && <p className={css.text}>{text}</p>}
    </div>
  );
}
