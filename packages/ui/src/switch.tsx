import { type ReactNode, useId } from "react";
import css from "./switch.module.css";

export interface SwitchProps {
  label: ReactNode;
  help?: ReactNode;
  checked: boolean;
  onChange: (checked: boolean) => void;
  disabled?: boolean;
}

/** A switch that takes effect at once. Use Checkbox for a choice that is saved later. */
export function Switch({ label, help, checked, onChange, disabled }: SwitchProps) {
  const id = useId();
  return (
    <button
      type="button"
      role="switch"
      aria-checked={checked}
      aria-labelledby={`${id}-label`}
      aria-describedby={help ? `${id}-help` : undefined}
      disabled={disabled}
      className={`row gap-4 between full-width py-2 text-start ${css.line}`}
      onClick={() => onChange(!checked)}
    >
      <span className="stack min-0">
        <span id={`${id}-label`}>{label}</span>
        {help && (
          <span id={`${id}-help`} className="muted">
            {help}
          </span>
        )}
      </span>
      <span className={`flex-none raised radius-round ${css.track}`} aria-hidden="true">
        <span className={`block circle ${css.thumb}`} />
      </span>
    </button>
  );
}
