import { type DeviceKey, readDevice, subscribeDevice, useDevice } from "../device/device-storage.ts";
import { useSite } from "./site.ts";

export type Locale = "en" | "es";

/** The shape that a translation must have: every string a string, every phrase a function of the same values. */
type Translation<Text> = {
  readonly [Key in keyof Text]: Text[Key] extends string
    ? string
    : Text[Key] extends (...values: infer Values) => unknown
      ? (...values: Values) => string
      : Translation<Text[Key]>;
};

export interface Copy<Text> {
  readonly en: Translation<Text>;
  readonly es: Translation<Text>;
}

/** A feature's catalogue. Spanish must have the shape of English. */
export function defineCopy<Text>(copy: { readonly en: Text; readonly es: NoInfer<Translation<Text>> }): Copy<Text> {
  return copy as unknown as Copy<Text>;
}

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
