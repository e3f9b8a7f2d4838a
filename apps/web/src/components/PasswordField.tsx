import { TextField, type TextFieldProps } from "@lambda/ui/text-field";
import { defineCopyHook } from "../format/i18n.ts";

const usePasswordCopy = defineCopyHook({
  en: { show: "Show password", hide: "Hide password" },
  es: { show: "Mostrar la contraseña", hide: "Ocultar la contraseña" },
});

export function PasswordField(props: Omit<TextFieldProps, "type" | "reveal">) {
  return <TextField type="password" reveal={usePasswordCopy()} {...props} />;
}
