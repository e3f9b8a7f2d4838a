import type { ReactNode } from "react";
import css from "./page-title.module.css";

export interface PageTitleProps {
  children: ReactNode;
  /** One line below the title. */
  text?: ReactNode;
}

/** The page's only h1. */
export function PageTitle({ children, text }: PageTitleProps) {
  return (
    <div className={css.title}>
      <h1>{children}</h1>
      {text && <p className="measure mt-2 muted type-lead">{text}</p>}
    </div>
  );
}
