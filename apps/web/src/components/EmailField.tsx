import { TextField, type TextFieldProps } from "@lambda/ui/text-field";

/** A field for an email address, without spell checking and automatic capitals. */
export function EmailField(props: TextFieldProps) {
  return <TextField type="email" autoCapitalize="none" spellCheck={false} {...props} />;
}
