import type { ReactNode } from "react";
import css from "./chip.module.css";
import { classes } from "./classes.ts";
import { Icon, type IconName } from "./icon.tsx";

export interface ChipProps {
  children: ReactNode;
  icon?: IconName;
  /** With `onToggle` the state of the toggle button; otherwise marks a tag that both members share. */
  selected?: boolean;
  onToggle?: (selected: boolean) => void;
  /** Makes the whole chip a remove button; `removeLabel` is its accessible name, e.g. "Remove tag Hosting". */
  onRemove?: () => void;
  removeLabel?: string;
  disabled?: boolean;
}

/** A tag that can be read-only, toggled or removed. */
export function Chip({ children, icon, selected, onToggle, onRemove, removeLabel, disabled }: ChipProps) {
  const chipClass = classes(css.chip, selected && css.selected);
  if (onToggle) {
    return (
      <button
        type="button"
        className={classes(chipClass, css.press)}
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
        className={classes(chipClass, css.press)}
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
    <span className={classes(chipClass, css.still)}>
      {icon && <Icon name={icon} size={18} />}
      {children}
    </span>
  );
}

/** A wrapping row of chips. */
export function ChipRow({ children, label }: { children: ReactNode; label?: string }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would need a visible legend
    <div className={css.row} role="group" aria-label={label}>
      {children}
    </div>
  );
}
