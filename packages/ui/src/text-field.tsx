import { type HTMLInputAutoCompleteAttribute, type InputHTMLAttributes, type Ref, useState } from "react";
import css from "./field.module.css";
import { Field, type FieldProps } from "./field.tsx";
import { Icon, type IconName } from "./icon.tsx";
import own from "./text-field.module.css";

export interface TextFieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, "children">, FieldProps {
  /** What the field holds after a change. */
  onValue?: (text: string) => void;
  /** Adds a button that shows and hides the password, with these labels; for `type="password"`. */
  reveal?: { readonly show: string; readonly hide: string };
  /** "off" for what a browser should neither remember nor fill. */
  autoComplete: HTMLInputAutoCompleteAttribute;
  icon?: IconName;
  ref?: Ref<HTMLInputElement>;
}

export function TextField(props: TextFieldProps) {
  const { label, help, error, counter, id, reveal, icon, className, type = "text", onValue, ...rest } = props;
  const [shown, setShown] = useState(false);
  return (
    <Field label={label} help={help} error={error} counter={counter} id={id} className={className}>
      {(control) => (
        <>
          {icon && <Icon name={icon} size={20} className={own.icon} />}
          <input
            dir="auto"
            // A password that is shown is a text, which keyboards would correct and browsers send to a spelling service.
            {...(reveal && { autoCapitalize: "none", autoCorrect: "off", spellCheck: false })}
            {...(onValue && { onChange: ({ target }) => onValue(target.value) })}
            {...rest}
            {...control}
            type={reveal && shown ? "text" : type}
            className={css.control}
          />
          {reveal && (
            <button
              type="button"
              className={`center radius-2 muted ${own.reveal}`}
              aria-label={shown ? reveal.hide : reveal.show}
              onClick={() => setShown(!shown)}
            >
              <Icon name={shown ? "eye-off" : "eye"} size={22} />
            </button>
          )}
        </>
      )}
    </Field>
  );
}
