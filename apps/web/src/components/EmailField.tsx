import { TextField, type TextFieldProps } from "@lambda/ui/text-field";

/** A field for an email address, which neither spelling nor capitals may "correct". */
export function EmailField(props: TextFieldProps) {
  return <TextField type="email" autoCapitalize="none" spellCheck={false} {...props} />;
}
