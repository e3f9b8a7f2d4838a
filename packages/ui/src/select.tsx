import type { Ref, SelectHTMLAttributes } from "react";
import css from "./field.module.css";
import { Field, type FieldProps } from "./field.tsx";
import { Icon } from "./icon.tsx";
import own from "./select.module.css";

export interface SelectProps<Value extends string>
  extends Omit<SelectHTMLAttributes<HTMLSelectElement>, "children" | "value">,
    FieldProps {
  options: readonly { readonly value: Value; readonly label: string; readonly disabled?: boolean }[];
  value?: Value;
  onValue?: (value: Value) => void;
  ref?: Ref<HTMLSelectElement>;
}

/** A native select, because the system's picker is the best one on phones. */
export function Select<Value extends string>(props: SelectProps<Value>) {
  const { label, help, error, counter, id, options, className, onValue, ...rest } = props;
  return (
    <Field label={label} help={help} error={error} counter={counter} id={id} className={className}>
      {(control) => (
        <>
          {/* Tells a value that a browser filled in without an event. */}
          <select
            autoComplete="off"
            data-rendered={rest.value}
            {...(onValue && { onChange: ({ target }) => onValue(target.value as Value) })}
            {...rest}
            {...control}
            className={`${css.control} ${own.select}`}
          >
            {options.map((option) => (
              <option key={option.value} value={option.value} disabled={option.disabled}>
                {option.label}
              </option>
            ))}
          </select>
          <Icon name="chevron-down" size={20} className={`muted no-pointer ${own.arrow}`} />
        </>
      )}
    </Field>
  );
}
