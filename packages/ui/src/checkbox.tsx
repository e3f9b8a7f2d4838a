import { type InputHTMLAttributes, type ReactNode, type Ref, useId } from "react";
import css from "./checkbox.module.css";
import { Icon } from "./icon.tsx";

export interface CheckboxProps extends Omit<InputHTMLAttributes<HTMLInputElement>, "type" | "className"> {
  label: ReactNode;
  help?: ReactNode;
  error?: ReactNode;
  onValue?: (isChecked: boolean) => void;
  ref?: Ref<HTMLInputElement>;
}

/** A checkbox whose whole line is clickable. */
export function Checkbox({ label, help, error, onValue, ...rest }: CheckboxProps) {
  const noteId = useId();
  return (
    <label className={`flex gap-3 relative ${css.line}`}>
      <input
        {...(onValue && { onChange: ({ target }) => onValue(target.checked) })}
        {...rest}
        type="checkbox"
        className="over"
        aria-invalid={error ? true : undefined}
        aria-describedby={help || error ? noteId : undefined}
      />
      <span className={`center flex-none raised radius-1 ${css.mark}`} aria-hidden="true">
        <Icon name="check" size={18} />
      </span>
      <span className="stack min-0 gap-hair">
        <span>{label}</span>
        {(error ?? help) && (
          <span id={noteId} className={error ? "danger" : "muted"}>
            {error ?? help}
          </span>
        )}
      </span>
    </label>
  );
}
