import type { ReactNode } from "react";
import css from "./empty-state.module.css";
import { Figure, type FigureName } from "./figure.tsx";

export interface EmptyStateProps {
  /** window: nobody in view. hello: no messages yet. lamp: not open yet. bench: waiting for someone. cactus: nothing to find here. */
  figure: FigureName;
  title: ReactNode;
  text?: ReactNode;
  /** A button that leads somewhere else. */
  action?: ReactNode;
}

/** Shown instead of an empty list or page, with a friendly text and something to do next. */
export function EmptyState({ figure, title, text, action }: EmptyStateProps) {
  return (
    <div className={`stack gap-2 items-start measure ${css.empty}`}>
      <Figure name={figure} />
      <p className={css.title}>{title}</p>
      {text && <p className="muted">{text}</p>}
      {action && <div className="wrap gap-3 mt-3">{action}</div>}
    </div>
  );
}
