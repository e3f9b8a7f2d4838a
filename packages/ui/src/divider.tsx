import type { ReactNode } from "react";
import { classes } from "./classes.ts";
import css from "./divider.module.css";

/** Words between two lines: the date of what follows, or with `isUnread` where the new ones begin. */
export function Divider({ children, isUnread }: { children: ReactNode; isUnread?: boolean }) {
  return (
    <div
      className={classes("row gap-3 type-mark", css.divider, isUnread ? "accent" : "muted bold")}
      data-unread-line={isUnread}
    >
      {children}
    </div>
  );
}
