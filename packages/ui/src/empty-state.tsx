import type { ReactNode } from "react";
import css from "./empty-state.module.css";
import { Figure, type FigureName } from "./figure.tsx";

export interface EmptyStateProps {
  /** window: nobody in sight. hello: nothing said yet. lamp: nobody about, not even open yet. bench: waiting for someone. cactus: nothing here, by nature. */
  figure?: FigureName;
  title: ReactNode;
  text?: ReactNode;
  /** A Button that leads out. */
  action?: ReactNode;
}

/** Nothing is there, said with warmth and with a way out. */
export function EmptyState({ figure = "bench", title, text, action }: EmptyStateProps) {
  return (
    <div className={css.empty}>
      <Figure name={figure} />
      <p className={css.title}>{title}</p>
      {text && <p className={css.text}>{text}</p>}
      {action && <div className={css.action}>{action}</div>}
    </div>
  );
}
