import { type ReactNode, useId } from "react";
import { classes } from "./classes.ts";
import css from "./field.module.css";
import { Icon } from "./icon.tsx";

export interface FieldProps {
  label: ReactNode;
  /** Shown below the field unless there is an error. */
  help?: ReactNode;
  /** What to do about the error; marks the field invalid. */
  error?: ReactNode;
  /** Used and allowed characters, shown as used/max. */
  counter?: { readonly used: number; readonly max: number };
}

export interface FieldControl {
  readonly id: string;
  readonly "aria-describedby": string | undefined;
  readonly "aria-invalid": true | undefined;
}

/** Renders label, help, error and counter around a control. The control receives the ids that connect them. */
export function Field(props: FieldProps & { id?: string; children: (control: FieldControl) => ReactNode }) {
  const { label, help, error, counter, id, children } = props;
  const generatedId = useId();
  const controlId = id ?? generatedId;
  const footId = `${controlId}-foot`;
  const note = error ?? help;
  return (
    <div className={`stack min-0 ${css.field}`}>
      <label className="bold" htmlFor={controlId}>
        {label}
      </label>
      {children({
        id: controlId,
        "aria-describedby": note ? footId : undefined,
        "aria-invalid": error ? true : undefined,
      })}
      {(note || counter) && (
        <div className={`flex gap-4 between ${css.foot}`}>
          {error ? (
            <span id={footId} className={`flex danger ${css.error}`} role="alert">
              <Icon name="warning" size={18} />
              <span>{error}</span>
            </span>
          ) : (
            help && (
              <span id={footId} className="muted">
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
