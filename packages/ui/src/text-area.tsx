import type { CSSProperties, Ref, TextareaHTMLAttributes } from "react";
import { classes } from "./classes.ts";
import css from "./field.module.css";
import { Field, type FieldProps } from "./field.tsx";
import own from "./text-area.module.css";

export interface TextAreaProps
  extends Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, "children" | "maxLength" | "value">,
    FieldProps {
  value: string;
  onValue?: (text: string) => void;
  /** Shows a counter. Longer text is not cut off, so that pasting never loses words silently. */
  max?: number;
  minRows?: number;
  ref?: Ref<HTMLTextAreaElement>;
}

/** A textarea that grows with its text: by `field-sizing`, or by a hidden copy of the text where that is not supported. */
export function TextArea(props: TextAreaProps) {
  const { label, help, error, counter, id, max, minRows = 3, className, value, onValue, ...rest } = props;
  const shown = counter ?? (max === undefined ? undefined : { used: value.length, max });
  return (
    <Field label={label} help={help} error={error} counter={shown} id={id} className={classes(own.frame, className)}>
      {(control) => (
        <>
          <span className={`clip break-anywhere ${own.copy}`} aria-hidden="true">{`${value}\n`}</span>
          <textarea
            dir="auto"
            autoComplete="off"
            {...(onValue && { onChange: ({ target }) => onValue(target.value) })}
            {...rest}
            {...control}
            style={{ "--min-rows": minRows } as CSSProperties}
            value={value}
            rows={minRows}
            className={`${css.control} ${own.area}`}
          />
        </>
      )}
    </Field>
  );
}
