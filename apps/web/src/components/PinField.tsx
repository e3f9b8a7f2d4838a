import { TextField, type TextFieldProps } from "@lambda/ui/text-field";
import { defineCopyHook } from "../format/i18n.ts";
import { useDigits } from "./use-digits.ts";

const usePinCopy = defineCopyHook({
  en: { show: "Show", hide: "Hide" },
  es: { show: "Mostrar", hide: "Ocultar" },
});

interface PinFieldProps extends Pick<TextFieldProps, "label" | "help" | "error"> {
  value: string;
  onChange: (pin: string) => void;
  /** Shows the numeric keyboard and limits the length; without it a PIN may also be a phrase. */
  maxDigits?: number;
  /** Takes the focus when the sheet opens. */
  hasInitialFocus?: boolean;
}

/** Not offered to password managers, which would enter the PIN for anyone who holds the device. */
export function PinField({ onChange, maxDigits, hasInitialFocus, error, ...rest }: PinFieldProps) {
  const { read, problem } = useDigits(maxDigits);
  return (
    <TextField
      {...rest}
      type="password"
      error={problem ?? error}
      autoComplete="off"
      reveal={usePinCopy()}
      data-focus={hasInitialFocus ? "" : undefined}
      onValue={(text) => onChange(maxDigits === undefined ? text : read(text))}
      {...(maxDigits !== undefined && { inputMode: "numeric" })}
    />
  );
}
