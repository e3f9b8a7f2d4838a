import { defineCopy } from "@lambda/contract/copy";
import { SERVER_ERROR_SHOWN_MS } from "@lambda/contract/limits";
import { useStore } from "zustand";
import { createStore } from "zustand/vanilla";
import { currentLocale } from "../format/i18n.ts";

const copy = defineCopy({
  en: { trouble: "Sorry this app is having trouble communicating with the server." },
  es: { trouble: "Lo sentimos, la aplicación tiene problemas para comunicarse con el servidor." },
});

const message = createStore<string | null>(() => null);
let timer: number | undefined;

export function showServerError(): void {
  message.setState(copy[currentLocale()].trouble);
  window.clearTimeout(timer);
  timer = window.setTimeout(() => message.setState(null), SERVER_ERROR_SHOWN_MS);
}

export const useHeaderError = (): string | null => useStore(message);
