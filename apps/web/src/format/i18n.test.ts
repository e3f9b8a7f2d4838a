import { afterEach, expect, it, vi } from "vitest";
import { browserLocale } from "./i18n.ts";

afterEach(() => vi.unstubAllGlobals());

it.each([
  [{ languages: ["es-419", "en"], language: "es-419" }, "es"],
  [{ languages: ["fr-CA", "ES-mx"], language: "fr-CA" }, "es"],
  [{ languages: [], language: "es-ES" }, "es"],
  [{ languages: ["de"], language: "de" }, "en"],
  [{ languages: [], language: "" }, "en"],
  [{ language: "es_ES" }, "es"],
  [{}, "en"],
])("speaks a language of ours whatever the browser names: %j", (navigator, locale) => {
  vi.stubGlobal("navigator", navigator);
  expect(browserLocale()).toBe(locale);
});
