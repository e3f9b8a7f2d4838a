import type { ReactNode } from "react";
import css from "./chip.module.css";
import { classes } from "./classes.ts";
import { Icon } from "./icon.tsx";

export interface ChipProps {
  label: ReactNode;
  /** With `onToggle` the state of the toggle button; otherwise marks a tag that both members share. */
  selected?: boolean;
  onToggle?: (selected: boolean) => void;
  /** Makes the whole chip a remove button; `removeLabel` is its accessible name, e.g. "Remove tag Hosting". */
  onRemove?: () => void;
  removeLabel?: string;
}

/** A tag that can be read-only, toggled or removed. */
export function Chip({ label, selected, onToggle, onRemove, removeLabel }: ChipProps) {
  const chipClass = classes("inline-row radius-round break-anywhere", selected && "tint accent bold", css.chip);
  const pressClass = classes(chipClass, "film", css.press);
  if (onToggle) {
    return (
      <button type="button" className={pressClass} aria-pressed={selected ?? false} onClick={() => onToggle(!selected)}>
        {label}
      </button>
    );
  }
  if (onRemove) {
    return (
      <button type="button" className={pressClass} aria-label={removeLabel} onClick={onRemove}>
        {label}
        <Icon name="close" size={16} />
      </button>
    );
  }
  return <span className={classes(chipClass, !selected && css.still)}>{label}</span>;
}

export function ChipRow({ children, label }: { children: ReactNode; label?: string }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would need a visible legend
    <div className="wrap gap-2" role="group" aria-label={label}>
      {children}
    </div>
  );
}
