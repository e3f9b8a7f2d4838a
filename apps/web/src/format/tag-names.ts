import { CHARACTERISTIC_CATEGORIES, type CharacteristicCategory } from "@lambda/contract/characteristics";
import { useLocale } from "./i18n.ts";

type Tag = (typeof CHARACTERISTIC_CATEGORIES)[CharacteristicCategory][number];

/** What is stored, sent and kept in addresses is the contract's English; these are the words that a Spanish reader sees. */
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

const lowered = (names: Iterable<readonly [string, string]>) =>
  new Map([...names].map(([tag, name]) => [tag.toLowerCase(), name]));
const TAGS = {
  en: lowered(
    Object.values(CHARACTERISTIC_CATEGORIES)
      .flat()
      .map((tag) => [tag, tag]),
  ),
  es: lowered(Object.entries(SPANISH)),
};

export interface TagNames {
  /** A characteristic, which crosses the wire in lower case, as it is written. */
  readonly tagName: (tag: string) => string;
  readonly categoryName: (category: string) => string;
}

/** The names of characteristics and of their categories in the member's language. */
export function useTagNames(): TagNames {
  const [locale] = useLocale();
  return {
    tagName: (tag) => TAGS[locale].get(tag.toLowerCase()) ?? tag,
    categoryName: (category) => (locale === "es" && SPANISH_CATEGORIES[category as CharacteristicCategory]) || category,
  };
}
