import { TextField } from "@lambda/ui/text-field";
import { useCopy } from "../../../format/i18n.ts";
import { lockCopy } from "./lock-copy.ts";

interface PinFieldProps {
  label: string;
  value: string;
  onChange: (pin: string) => void;
  help?: string | undefined;
  error?: string | undefined;
  /** The sheet begins here. */
  first?: boolean;
}

/** No password manager is to keep it: it would open the device that it locks. */
export function PinField({ label, value, onChange, help, error, first }: PinFieldProps) {
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
      data-focus={first ? "" : undefined}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
