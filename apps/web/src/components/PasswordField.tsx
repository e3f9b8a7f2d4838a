import { defineCopy } from "@lambda/contract/copy";
import { TextField, type TextFieldProps } from "@lambda/ui/text-field";
import { useCopy } from "../format/i18n.ts";

const passwordCopy = defineCopy({
  en: { show: "Show password", hide: "Hide password" },
  es: { show: "Mostrar la contraseña", hide: "Ocultar la contraseña" },
});

export function PasswordField(props: Omit<TextFieldProps, "type" | "reveal">) {
  return <TextField type="password" reveal={useCopy(passwordCopy)} {...props} />;
}
