import { MEET_PIN_MAX_DIGITS, MEET_PIN_MIN_DIGITS } from "@lambda/contract/limits";
import { TextField } from "@lambda/ui/text-field";
import { useCopy } from "../../format/i18n.ts";
import { meetsCopy } from "./copy.ts";

const PIN_PATTERN = new RegExp(`^\\d{${MEET_PIN_MIN_DIGITS},${MEET_PIN_MAX_DIGITS}}$`);
export const isPin = (text: string) => PIN_PATTERN.test(text);

interface PinFieldProps {
  label: string;
  value: string;
  onChange: (pin: string) => void;
  help?: string;
  error?: string | undefined;
  /** Takes the focus when the sheet opens. */
  hasInitialFocus?: boolean;
}

/** Not offered to password managers, which would answer for whoever holds the device. */
export function PinField({ label, value, onChange, help, error, hasInitialFocus }: PinFieldProps) {
  const copy = useCopy(meetsCopy);
  return (
    <TextField
      label={label}
      type="password"
      inputMode="numeric"
      autoComplete="off"
      maxLength={MEET_PIN_MAX_DIGITS}
      reveal={{ show: copy.show, hide: copy.hide }}
      help={help}
      error={error}
      value={value}
      data-focus={hasInitialFocus ? "" : undefined}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
