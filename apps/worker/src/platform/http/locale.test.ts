import { expect, it } from "vitest";
import { notepadResponse } from "../documents/notepad.ts";
import { localeOf } from "./locale.ts";

const requestIn = (languages: string) =>
  new Request("https://ember.example/notepad", { headers: { "accept-language": languages } });

it.each([
  ["es-MX,en;q=0.5", "es"],
  ["ES", "es"],
  ["de, fr;q=0.8, es;q=0.5, en;q=0.3", "es"],
  ["en-GB,es;q=0.9", "en"],
  ["de", "en"],
  ["", "en"],
])("takes the first language of %j that the site has", (languages, locale) => {
  expect(localeOf(requestIn(languages))).toBe(locale);
});

it("keeps caches from showing the notepad in another language", async () => {
  const response = await notepadResponse(requestIn("de, es;q=0.5"), () => undefined);
  expect(response.headers.get("vary")).toBe("accept-language");
  expect(await response.text()).toContain("Escribe aquí");
});
