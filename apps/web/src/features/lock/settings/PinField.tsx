import { TextField } from "@lambda/ui/text-field";
import { useCopy } from "../../../format/i18n.ts";
import { lockCopy } from "./lock-copy.ts";

interface PinFieldProps {
  label: string;
  value: string;
  onChange: (pin: string) => void;
  help?: string | undefined;
  error?: string | undefined;
  /** Takes the focus when the sheet opens. */
  hasInitialFocus?: boolean;
}

/** Not offered to password managers, which would unlock the device that the PIN protects. */
export function PinField({ label, value, onChange, help, error, hasInitialFocus }: PinFieldProps) {
  const copy = useCopy(lockCopy);
  return (
    <TextField
      label={label}
      type="password"
      autoComplete="off"
      reveal={{ show: copy.show, hide: copy.hide }}
      help={help}
      error={error}
      value={value}
      data-focus={hasInitialFocus ? "" : undefined}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
