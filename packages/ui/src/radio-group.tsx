import { type ReactNode, useId } from "react";
import css from "./radio-group.module.css";

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
    <fieldset className={css.group} aria-describedby={error ? `${name}-error` : undefined}>
      <legend className={css.legend}>{label}</legend>
      {options.map((option) => (
        <label key={option.value} className={css.option}>
          <input
            type="radio"
            name={name}
            className={css.input}
            checked={option.value === value}
            disabled={option.disabled}
            onChange={() => onChange(option.value)}
          />
          <span className={css.ring} aria-hidden="true" />
          <span className={css.words}>
            <span>{option.label}</span>
            {option.help && <span className={css.help}>{option.help}</span>}
          </span>
        </label>
      ))}
      {error && (
        <p id={`${name}-error`} className={css.error} role="alert">
          {error}
        </p>
      )}
    </fieldset>
  );
}
