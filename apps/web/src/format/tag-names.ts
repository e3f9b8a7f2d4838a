import { CHARACTERISTIC_CATEGORIES, type CharacteristicCategory } from "@lambda/contract/characteristics";
import { useLocale } from "./i18n.ts";

type Tag = (typeof CHARACTERISTIC_CATEGORIES)[CharacteristicCategory][number];

/** Spanish labels. The database, the API and URLs use the contract's English names. */
const SPANISH: Readonly<Record<Tag, string>> = {
  Hosting: "Con sitio",
  Traveling: "De viaje",
  Cruising: "Cruising",
  Bar: "Bar",
  Coffee: "Café",
  Top: "Activo",
  Bottom: "Pasivo",
  Versatile: "Versátil",
  Oral: "Oral",
  SafeOnly: "Solo seguro",
  "Hiv+": "VIH+",
  "Hiv-": "VIH-",
  Condoms: "Condones",
  PrEP: "PrEP",
  Doxy: "Doxi",
  DDF: "Sin drogas ni ITS",
  Tested: "Pruebas al día",
  "Vax+": "Vacunado",
  Hairy: "Peludo",
  Smooth: "Sin vello",
  Masculine: "Masculino",
  Feminine: "Femenino",
  Transgender: "Transgénero",
  Bear: "Oso",
  Leather: "Cuero",
  Trans: "Trans",
  BDSM: "BDSM",
  Poz: "Seropositivo",
  Puppy: "Cachorro",
  Travel: "Viajes",
  Fitness: "Deporte",
  Outdoors: "Aire libre",
  Culture: "Cultura",
  Cooking: "Cocina",
  Art: "Arte",
  Homemaking: "Hogar",
  Animals: "Animales",
  Gardening: "Jardinería",
  Professional: "Profesional",
  Fetish: "Fetiche",
  Taboo: "Tabú",
  Kink: "Morbo",
  FistTop: "Fist activo",
  FistBottom: "Fist pasivo",
};

const SPANISH_CATEGORIES: Readonly<Record<CharacteristicCategory, string>> = {
  Meet: "Quedar",
  Positions: "Roles",
  Safety: "Salud",
  Body: "Cuerpo",
  Community: "Comunidad",
  Interests: "Intereses",
  Kink: "Morbo",
};

const byLowerCaseTag = (names: Iterable<readonly [string, string]>) =>
  new Map([...names].map(([tag, name]) => [tag.toLowerCase(), name]));
const TAGS = {
  en: byLowerCaseTag(
    Object.values(CHARACTERISTIC_CATEGORIES)
      .flat()
      .map((tag) => [tag, tag]),
  ),
  es: byLowerCaseTag(Object.entries(SPANISH)),
};

export interface TagNames {
  /** The label of a characteristic; the API sends its name in lower case. */
  readonly tagName: (tag: string) => string;
  readonly categoryName: (category: string) => string;
}

export function useTagNames(): TagNames {
  const [locale] = useLocale();
  return {
    tagName: (tag) => TAGS[locale].get(tag.toLowerCase()) ?? tag,
    categoryName: (category) => (locale === "es" && SPANISH_CATEGORIES[category as CharacteristicCategory]) || category,
  };
}
