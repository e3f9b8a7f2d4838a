import type { MouseEventHandler, ReactNode } from "react";
import { classes } from "./classes.ts";
import { Link } from "./link.tsx";
import css from "./list-row.module.css";

export interface ListRowProps {
  /** Usually an Avatar or an Icon. */
  leading?: ReactNode;
  title: ReactNode;
  /** One line, truncated if it does not fit. */
  text?: ReactNode;
  /** Short and readable: "14:05", "Tue". */
  time?: string;
  /** Machine-readable time. */
  dateTime?: string;
  /** Highlights the text and shows the mark. */
  unread?: boolean;
  /** Shown below the time, e.g. a Badge. */
  mark?: ReactNode;
  /** Buttons next to the row, never inside its link. */
  actions?: ReactNode;
  /** Whether this row's details are open in the other pane. */
  current?: boolean;
  href?: string;
  onClick?: MouseEventHandler<HTMLElement>;
}

export function ListRow(props: ListRowProps) {
  const { leading, title, text, time, dateTime, unread, mark, actions, current, href, onClick } = props;
  const content = (
    <>
      {leading && <span className={`center flex-none muted ${css.leading}`}>{leading}</span>}
      <span className="stack one-column grow min-0">
        <span className="row align-baseline gap-3">
          <span className={`bold grow truncate ${css.title}`} dir="auto">
            {title}
          </span>
          {time && (
            <time className={`muted type-mark ${css.time}`} dateTime={dateTime}>
              {time}
            </time>
          )}
        </span>
        {(text || mark || unread) && (
          <span className="row gap-3">
            <span className={`muted grow truncate ${css.text}`} dir="auto">
              {text}
            </span>
            {mark ?? (unread && <span className={`circle ${css.dot}`} />)}
          </span>
        )}
      </span>
    </>
  );
  const isPressable = href !== undefined || onClick !== undefined;
  const rowClass = classes("undecorated text-start", isPressable && "film focus-inside", css.face);
  return (
    <div className={classes("row relative", css.row, unread && css.unread, current && css.current)}>
      {href !== undefined ? (
        <Link href={href} className={rowClass} aria-current={current ? "page" : undefined} onClick={onClick}>
          {content}
        </Link>
      ) : onClick ? (
        <button type="button" className={rowClass} onClick={onClick}>
          {content}
        </button>
      ) : (
        <div className={rowClass}>{content}</div>
      )}
      {actions && <div className={`flex ${css.actions}`}>{actions}</div>}
    </div>
  );
}
