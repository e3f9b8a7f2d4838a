import type { Locale } from "@lambda/contract/accounts";
import type { Copy, Translation } from "@lambda/contract/copy";
import { deviceKey, readDeviceValue, subscribeDeviceValue, useDeviceValue } from "../device/device-storage.ts";
import { useSite } from "./site.ts";

const LOCALE = deviceKey<Locale | null>("locale", null, (value) => value === "en" || value === "es");

/** The browser's preferred language among ours. The worker derives the same one from the Accept-Language header. */
export function browserLocale(): Locale {
  // Web views may name one language only, or none.
  const wanted = [navigator.languages ?? [], navigator.language ?? ""]
    .flat()
    .map((language) => language.slice(0, 2).toLowerCase())
    .find((code) => code === "en" || code === "es");
  return wanted === "es" ? "es" : "en";
}

/** The current language, for code outside of components. */
export const currentLocale = (): Locale => readDeviceValue(LOCALE) ?? browserLocale();

/** The current language and its setter; setting null follows the browser. */
export function useLocale(): readonly [Locale, (locale: Locale | null) => void] {
  const [chosen, choose] = useDeviceValue(LOCALE);
  const site = useSite();
  return [chosen ?? site.locale, choose];
}

export const useCopy = <Text>(copy: Copy<Text>): Translation<Text> => copy[useLocale()[0]];

/** A feature's texts as a hook, which returns those of the current language. */
export const defineCopyHook =
  <Text>(copy: { readonly en: Text; readonly es: NoInfer<Translation<Text>> }): (() => Translation<Text>) =>
  () =>
    useCopy(copy as unknown as Copy<Text>);

/** Keeps the document's lang attribute up to date for screen readers and hyphenation. Call once. */
export function startLocale(): void {
  const apply = () => {
    document.documentElement.lang = currentLocale();
  };
  apply();
  subscribeDeviceValue(LOCALE, apply);
}
