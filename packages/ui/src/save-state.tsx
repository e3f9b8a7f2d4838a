import type { ReactNode } from "react";
import { Icon } from "./icon.tsx";
import css from "./save-state.module.css";

export interface SaveStateProps {
  state: "idle" | "saving" | "saved" | "failed";
  /** The text for the current state, e.g. "Saved". */
  children?: ReactNode;
}

const TONES = { idle: "", saving: "muted", saved: "success", failed: "danger" };

/** Shows whether the last change was saved. Reserves its space, so that nothing shifts. */
export function SaveState({ state, children }: SaveStateProps) {
  return (
    <span role="status" className={`inline-row bold ${TONES[state]} ${css.save}`}>
      {state !== "idle" && (
        <>
          {state === "saved" && <Icon name="check" size={18} />}
          {state === "failed" && <Icon name="warning" size={18} />}
          {children}
        </>
      )}
    </span>
  );
}
