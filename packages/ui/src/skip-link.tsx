import type { ReactNode } from "react";
import css from "./skip-link.module.css";

/** Must be the first element of the page. `target` is the id of the main container, which must have tabIndex -1. */
export function SkipLink({ target, children }: { target: string; children: ReactNode }) {
  return (
    <a className={css.skip} href={`#${target}`} onClick={() => document.getElementById(target)?.focus()}>
      {children}
    </a>
  );
}
