import { type ReactNode, useId } from "react";
import css from "./checkbox.module.css";

export interface RadioOption<Value extends string> {
  readonly value: Value;
  readonly label: ReactNode;
  readonly help?: ReactNode;
  readonly disabled?: boolean;
}

export interface RadioGroupProps<Value extends string> {
  label: ReactNode;
  options: readonly RadioOption<Value>[];
  value: Value | undefined;
  onChange: (value: Value) => void;
  error?: ReactNode;
}

export function RadioGroup<Value extends string>(props: RadioGroupProps<Value>) {
  const { label, options, value, onChange, error } = props;
  const name = useId();
  return (
    <fieldset aria-describedby={error ? `${name}-error` : undefined}>
      <legend>{label}</legend>
      {options.map((option) => (
        <label key={option.value} className={`flex gap-3 relative ${css.line} ${css.option}`}>
          <input
            type="radio"
            name={name}
            className="over"
            checked={option.value === value}
            disabled={option.disabled}
            onChange={() => onChange(option.value)}
          />
          <span className={`flex-none raised circle ${css.mark}`} aria-hidden="true" />
          <span className="stack min-0 gap-hair">
            <span>{option.label}</span>
            {option.help && <span className="muted">{option.help}</span>}
          </span>
        </label>
      ))}
      {error && (
        <p id={`${name}-error`} className="danger" role="alert">
          {error}
        </p>
      )}
    </fieldset>
  );
}
