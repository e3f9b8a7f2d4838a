import { TextField, type TextFieldProps } from "@lambda/ui/text-field";

export function EmailField(props: TextFieldProps) {
  return <TextField type="email" autoCapitalize="none" spellCheck={false} {...props} />;
}
