import type { Locale } from "@lambda/contract/accounts";
import type { Copy, Translation } from "@lambda/contract/copy";
import { type DeviceKey, readDevice, subscribeDevice, useDevice } from "../device/device-storage.ts";
import { useSite } from "./site.ts";

const LOCALE: DeviceKey<Locale | null> = {
  name: "locale",
  fallback: null,
  accepts: (value): value is Locale | null => value === "en" || value === "es" || value === null,
};

/** What the browser asks for; the worker reads the same from its header. */
export function browserLocale(): Locale {
  const wanted = navigator.languages
    .map((language) => language.slice(0, 2))
    .find((code) => code === "en" || code === "es");
  return wanted === "es" ? "es" : "en";
}

/** The language of this page now, for code outside of components. */
export function currentLocale(): Locale {
  return readDevice(LOCALE) ?? browserLocale();
}

/** The language, and the setter that Settings uses; null follows the browser. */
export function useLocale(): readonly [Locale, (locale: Locale | null) => void] {
  const [chosen, choose] = useDevice(LOCALE);
  const site = useSite();
  return [chosen ?? site.locale, choose];
}

/** A catalogue in the member's language. */
export function useCopy<Text>(copy: Copy<Text>): Translation<Text> {
  return copy[useLocale()[0]];
}

/** Keeps the document's language attribute right, for screen readers and hyphenation; call once. */
export function startLocale(): void {
  const apply = () => {
    document.documentElement.lang = currentLocale();
  };
  apply();
  subscribeDevice(LOCALE, apply);
}
