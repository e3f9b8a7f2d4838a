import { SERVER_TROUBLE_SHOWN_MS } from "@lambda/contract/limits";
import { useSyncExternalStore } from "react";
import { currentLocale, defineCopy } from "../format/i18n.ts";

const copy = defineCopy({
  en: { trouble: "Sorry this app is having trouble communicating with the server." },
  es: { trouble: "Lo sentimos, la aplicación tiene problemas para comunicarse con el servidor." },
});

let message: string | null = null;
let timer: number | undefined;
const listeners = new Set<() => void>();

/** Replaces the page title by a message for some milliseconds. */
function showHeaderError(text: string, forMs: number = SERVER_TROUBLE_SHOWN_MS): void {
  set(text);
  window.clearTimeout(timer);
  timer = window.setTimeout(() => set(null), forMs);
}

/** SPEC section 8: what a 5xx answer shows, for 10 s. */
export function showServerTrouble(): void {
  showHeaderError(copy[currentLocale()].trouble);
}

const get = () => message;

export function useHeaderError(): string | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    get,
    get,
  );
}

function set(next: string | null): void {
  message = next;
  for (const listener of listeners) listener();
}
