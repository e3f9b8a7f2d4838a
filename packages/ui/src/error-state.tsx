import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import { classes } from "./classes.ts";
import css from "./empty-state.module.css";
import { Figure } from "./figure.tsx";

export interface ErrorStateProps {
  title: ReactNode;
  /** What happened and what to do, without error codes. */
  text?: ReactNode;
  retryLabel?: string;
  onRetry?: () => void;
  retrying?: boolean;
  /** In a part of a screen: without figure and margins. */
  compact?: boolean;
}

export function ErrorState({ title, text, retryLabel, onRetry, retrying, compact }: ErrorStateProps) {
  return (
    <div className={classes("stack gap-2 items-start measure", !compact && css.empty)} role="alert">
      {!compact && <Figure name="plug" />}
      <p className={compact ? "bold" : css.title}>{title}</p>
      {text && <p className="muted">{text}</p>}
      {onRetry && (
        <div className="wrap gap-3 mt-3">
          <Button variant="primary" icon="rotate" busy={retrying} label={retryLabel} onClick={onRetry} />
        </div>
      )}
    </div>
  );
}
