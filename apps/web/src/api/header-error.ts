import { defineCopy } from "@lambda/contract/copy";
import { SERVER_ERROR_SHOWN_MS } from "@lambda/contract/limits";
import { create } from "zustand";
import { currentLocale } from "../format/i18n.ts";

const copy = defineCopy({
  en: { trouble: "Sorry this app is having trouble communicating with the server." },
  es: { trouble: "Lo sentimos, la app tiene problemas para comunicarse con el servidor." },
});

export const useHeaderError = create<string | null>(() => null);
let timer: number | undefined;

export function showServerError(): void {
  useHeaderError.setState(copy[currentLocale()].trouble);
  window.clearTimeout(timer);
  timer = window.setTimeout(() => useHeaderError.setState(null), SERVER_ERROR_SHOWN_MS);
}
