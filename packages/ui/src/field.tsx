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

interface FieldFrameProps extends FieldProps {
  id?: string;
  className?: string | undefined;
  children: (control: FieldControl) => ReactNode;
}

/** Renders label, help, error and counter around a framed control. The control receives the ids that connect them. */
export function Field(props: FieldFrameProps) {
  const { label, help, error, counter, id, className, children } = props;
  const generatedId = useId();
  const controlId = id ?? generatedId;
  const footId = `${controlId}-foot`;
  const note = error ?? help;
  return (
    <div className={`stack min-0 ${css.field}`}>
      <label className="bold" htmlFor={controlId}>
        {label}
      </label>
      <div className={classes("row relative raised radius-2", css.frame, error && css.invalid, className)}>
        {children({
          id: controlId,
          "aria-describedby": note ? footId : undefined,
          "aria-invalid": error ? true : undefined,
        })}
      </div>
      {(note || counter) && (
        <div className={`flex gap-4 between ${css.foot}`}>
          {error ? (
            <span id={footId} className="flex danger" role="alert">
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
            <span className={classes("type-mark", counter.used > counter.max ? "danger bold" : "muted", css.counter)}>
              {counter.used}/{counter.max}
            </span>
          )}
        </div>
      )}
    </div>
  );
}
