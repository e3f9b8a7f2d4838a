import { type ReactNode, useId } from "react";
import { classes } from "./classes.ts";
import css from "./field.module.css";
import { Icon } from "./icon.tsx";

export interface FieldProps {
  label: ReactNode;
  /** Below the field; gives way to the error. */
  help?: ReactNode;
  /** In words, what to do; marks the field invalid. */
  error?: ReactNode;
  /** Characters used and allowed, shown as n/max. */
  counter?: { readonly used: number; readonly max: number };
}

export interface FieldControl {
  readonly id: string;
  readonly "aria-describedby": string | undefined;
  readonly "aria-invalid": true | undefined;
}

/** Label, help, error and counter around a control; the control receives the ids that tie them together. */
export function Field(props: FieldProps & { id?: string; children: (control: FieldControl) => ReactNode }) {
  const { label, help, error, counter, id, children } = props;
  const own = useId();
  const control = id ?? own;
  const foot = `${control}-foot`;
  const note = error ?? help;
  return (
    <div className={css.field}>
      <label className={css.label} htmlFor={control}>
        {label}
      </label>
      {children({
        id: control,
        "aria-describedby": note ? foot : undefined,
        "aria-invalid": error ? true : undefined,
      })}
      {(note || counter) && (
        <div className={css.foot}>
          {error ? (
            <span id={foot} className={css.error} role="alert">
              <Icon name="warning" size={18} />
              <span>{error}</span>
            </span>
          ) : (
            help && (
              <span id={foot} className={css.help}>
                {help}
              </span>
            )
          )}
          {counter && (
            <span className={classes(css.counter, counter.used > counter.max && css.over)}>
              {counter.used}/{counter.max}
            </span>
          )}
        </div>
      )}
    </div>
  );
}
