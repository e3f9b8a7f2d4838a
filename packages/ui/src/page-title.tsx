import type { ReactNode } from "react";
import css from "./page-title.module.css";

export interface PageTitleProps {
  children: ReactNode;
  /** One line below the title. */
  text?: ReactNode;
  /** Shown at the end of the title's line, e.g. a count or a button. */
  aside?: ReactNode;
  /** The title is replaced by an application-wide error. */
  error?: boolean;
  /** Full display size, for pages that start with text. */
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
