import type { ReactNode } from "react";
import css from "./chip.module.css";
import { classes } from "./classes.ts";
import { Icon, type IconName } from "./icon.tsx";

export interface ChipProps {
  children: ReactNode;
  icon?: IconName;
  /** With `onToggle`: a toggle button. Without: marks what both have in common. */
  selected?: boolean;
  onToggle?: (selected: boolean) => void;
  /** The whole chip removes; `removeLabel` names the act: "Remove tag Hosting". */
  onRemove?: () => void;
  removeLabel?: string;
  disabled?: boolean;
}

/** A tag: to read, to choose, or to take away. */
export function Chip({ children, icon, selected, onToggle, onRemove, removeLabel, disabled }: ChipProps) {
  const look = classes(css.chip, selected && css.selected);
  if (onToggle) {
    return (
      <button
        type="button"
        className={classes(look, css.press)}
        aria-pressed={selected ?? false}
        disabled={disabled}
        onClick={() => onToggle(!selected)}
      >
        {icon && <Icon name={icon} size={18} />}
        {children}
      </button>
    );
  }
  if (onRemove) {
    return (
      <button
        type="button"
        className={classes(look, css.press)}
        aria-label={removeLabel}
        disabled={disabled}
        onClick={onRemove}
      >
        {children}
        <Icon name="close" size={16} />
      </button>
    );
  }
  return (
    <span className={classes(look, css.still)}>
      {icon && <Icon name={icon} size={18} />}
      {children}
    </span>
  );
}

/** Chips that wrap; a list for screen readers where the chips are only to be read. */
export function ChipRow({ children, label }: { children: ReactNode; label?: string }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would need a visible legend
    <div className={css.row} role="group" aria-label={label}>
      {children}
    </div>
  );
}
