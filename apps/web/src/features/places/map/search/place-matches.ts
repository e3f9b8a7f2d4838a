import type { PlaceIndex } from "@lambda/contract/map-archives";
import { distanceMeters, type Point } from "@lambda/geo/distance";
import type { NamedPlace } from "../data/place-name.ts";

/** A town or quarter that a search can find. */
export interface KnownPlace extends Point {
  readonly kind: "city" | "quarter";
  /** The name in the member's language. */
  readonly name: string;
  /** All names, folded by {@link fold}, each between line breaks. */
  readonly folded: string;
  /** Base-2 logarithm of the population. */
  readonly size: number;
  /** ISO 3166-1 alpha-2. */
  readonly country?: string | undefined;
}

/** Fewer letters than this match too much. */
export const SEARCH_MIN_CHARS = 2;
const MATCHES_MAX = 6;
/** A place within this distance counts as if it were 2^22 times as large: who looks for "Mission" means the one around the corner. */
const NEAR_METERS = 60_000;
const NEAR_BONUS = 22;
/** A name that begins with the text counts as if it were 2^6 times as large as one with a later word that does; the whole name more. */
const START_BONUS = 6;
const WHOLE_BONUS = 10;
/** Entries for the same place, from two archives or at the edges of tiles. */
const SAME_METERS = 6000;

const LETTERS: Readonly<Record<string, string>> = { ł: "l", ø: "o", ß: "ss", æ: "ae", œ: "oe", đ: "d", ı: "i" };

/** Lower case, without accents, words divided by single spaces. */
const fold = (text: string): string =>
  text
    .normalize("NFD")
    .toLowerCase()
    .replace(/\p{M}/gu, "")
    .replace(/[łøßæœđı]/g, (letter) => LETTERS[letter] ?? letter)
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();

const foldNames = (names: readonly string[]): string => `\n${names.map(fold).join("\n")}\n`;

/** A place of the tiles, by its names in all languages. */
export function knownPlace(
  names: readonly string[],
  { lat, lon, kind, population, country }: Omit<NamedPlace, "name">,
): KnownPlace {
  return { lat, lon, kind, name: names[0] ?? "", folded: foldNames(names), size: Math.log2(population + 1), country };
}

export function readPlaceIndex(index: PlaceIndex, locale: string): KnownPlace[] {
  return Object.entries(index).flatMap(([country, { names, lats, lons, sizes, quarters }]) => {
    const [sizeOf, isQuarter] = [sizes.split(" "), new Set(quarters)];
    return names.split("\n").map((line, at): KnownPlace => {
      const [english = "", spanish = "", local = ""] = line.split("\t");
      return {
        lat: (lats[at] ?? 0) / 100,
        lon: (lons[at] ?? 0) / 100,
        kind: isQuarter.has(at) ? "quarter" : "city",
        name: (locale === "es" && spanish) || english,
        folded: foldNames([english, spanish, local].filter(Boolean)),
        size: Number(sizeOf[at]),
        country,
      };
    });
  });
}

/** The places that a text means, the likeliest first: large ones, those whose name begins with it, and those near a point. */
export function matchPlaces(text: string, near: Point, lists: readonly (readonly KnownPlace[])[]): KnownPlace[] {
  // "Phoenix, AZ" means Phoenix.
  const wanted = fold(text.replace(/(.),.*/, "$1"));
  if (wanted.length < SEARCH_MIN_CHARS) return [];
  const found: { readonly place: KnownPlace; readonly weight: number }[] = [];
  for (const place of lists.flat()) {
    const { folded, size } = place;
    const bonus = folded.includes(`\n${wanted}\n`)
      ? WHOLE_BONUS
      : folded.includes(`\n${wanted}`)
        ? START_BONUS
        : folded.includes(` ${wanted}`)
          ? 0
          : undefined;
    if (bonus === undefined) continue;
    found.push({ place, weight: size + bonus + (distanceMeters(near, place) < NEAR_METERS ? NEAR_BONUS : 0) });
  }
  found.sort((one, other) => other.weight - one.weight);
  const matches: KnownPlace[] = [];
  for (const { place } of found) {
    if (matches.length === MATCHES_MAX) break;
    const isKnown = matches.some(
      ({ name, lat, lon }) => name === place.name && distanceMeters({ lat, lon }, place) < SAME_METERS,
    );
    if (!isKnown) matches.push(place);
  }
  return matches;
}
