import { type ReactNode, useId } from "react";
import { Icon, type IconName } from "./icon.tsx";
import css from "./segmented.module.css";

export interface SegmentedProps<Value extends string> {
  /** Accessible name of the group. */
  label: string;
  options: readonly { readonly value: Value; readonly label: ReactNode; readonly icon?: IconName }[];
  value: Value;
  onChange: (value: Value) => void;
}

/** A segmented control: two to four short options, one of which is always selected. */
export function Segmented<Value extends string>({ label, options, value, onChange }: SegmentedProps<Value>) {
  const name = useId();
  return (
    <fieldset className={`stack radius-round ${css.group}`} aria-label={label}>
      {options.map((option) => (
        <label key={option.value} className={`relative ${css.option}`}>
          <input
            type="radio"
            name={name}
            className="over"
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          <span className={`row gap-2 justify-center radius-round muted text-center ${css.face}`}>
            {option.icon && <Icon name={option.icon} size={20} />}
            {option.label}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
