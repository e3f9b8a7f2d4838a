import type { ReactNode } from "react";
import css from "./visually-hidden.module.css";

/** Content for screen readers only. */
export function VisuallyHidden({
  children,
  id,
  live,
}: {
  children: ReactNode;
  id?: string;
  live?: "polite" | "assertive";
}) {
  return (
    <span id={id} className={css.hidden} aria-live={live}>
      {children}
    </span>
  );
}
