import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import css from "./empty-state.module.css";
import { Figure } from "./figure.tsx";

export interface ErrorStateProps {
  title: ReactNode;
  /** What happened and what to do, without error codes. */
  text?: ReactNode;
  retryLabel?: string;
  onRetry?: () => void;
  retrying?: boolean;
  /** An alternative to retrying. */
  action?: ReactNode;
}

export function ErrorState({ title, text, retryLabel, onRetry, retrying, action }: ErrorStateProps) {
  return (
    <div className={`stack gap-2 items-start measure ${css.empty}`} role="alert">
      <Figure name="plug" />
      <p className={css.title}>{title}</p>
      {text && <p className="muted">{text}</p>}
      {(onRetry || action) && (
        <div className="wrap gap-3 mt-3">
          {onRetry && (
            <Button variant="primary" icon="rotate" busy={retrying} onClick={onRetry}>
              {retryLabel}
            </Button>
          )}
          {action}
        </div>
      )}
    </div>
  );
}
