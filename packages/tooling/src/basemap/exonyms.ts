import type { PlaceProperties } from "./places.ts";

/**
 * English and Spanish names of cities for which GeoNames has another: a line each of country, GeoNames' name, English name if that differs,
 * Spanish name if it differs from the English one. GeoNames' largest city of that name is meant.
 */
const LINES = `
AT Vienna,,Viena
BE Antwerpen,Antwerp,Amberes
BE Brugge,Bruges,Brujas
BE Brussels,,Bruselas
BE Gent,Ghent,Gante
BG Sofia,,Sofía
CA Montréal,Montreal
CA Québec,Quebec City,Quebec
CH Basel,,Basilea
CH Bern,,Berna
CH Genève,Geneva,Ginebra
CH Luzern,Lucerne,Lucerna
CH Zürich,Zurich,Zúrich
CN Beijing,,Pekín
CN Shanghai,,Shanghái
CU Havana,,La Habana
CZ Prague,,Praga
DE Berlin,,Berlín
DE Dresden,,Dresde
DE Frankfurt am Main,Frankfurt,Fráncfort
DE Hamburg,,Hamburgo
DE Hannover,Hanover,Hannover
DE Köln,Cologne,Colonia
DE Munich,,Múnich
DE Nürnberg,Nuremberg,Núremberg
DK Copenhagen,,Copenhague
EG Alexandria,,Alejandría
EG Cairo,,El Cairo
ES Sevilla,Seville,Sevilla
FR Bordeaux,,Burdeos
FR Marseille,,Marsella
FR Nice,,Niza
FR Paris,,París
FR Strasbourg,,Estrasburgo
GB Edinburgh,,Edimburgo
GB London,,Londres
GR Athens,,Atenas
GR Thessaloníki,Thessaloniki,Tesalónica
GT Guatemala City,,Ciudad de Guatemala
IE Dublin,,Dublín
IL Jerusalem,,Jerusalén
IN Mumbai,,Bombay
IN New Delhi,,Nueva Delhi
IR Tehran,,Teherán
IT Bologna,,Bolonia
IT Florence,,Florencia
IT Genoa,,Génova
IT Milan,,Milán
IT Naples,,Nápoles
IT Rome,,Roma
IT Turin,,Turín
IT Venice,,Venecia
JP Kyoto,,Kioto
JP Tokyo,,Tokio
KR Seoul,,Seúl
LU Luxembourg,,Luxemburgo
MA Marrakesh,,Marrakech
MA Tangier,,Tánger
MX Mexico City,,Ciudad de México
NL Amsterdam,,Ámsterdam
NL The Hague,,La Haya
PA Panamá,Panama City,Ciudad de Panamá
PL Kraków,Krakow,Cracovia
PL Warsaw,,Varsovia
PT Lisbon,,Lisboa
PT Porto,,Oporto
RO Bucharest,,Bucarest
RS Belgrade,,Belgrado
RU Moscow,,Moscú
RU Saint Petersburg,,San Petersburgo
SE Göteborg,Gothenburg,Gotemburgo
SE Stockholm,,Estocolmo
SG Singapore,,Singapur
SY Damascus,,Damasco
TN Tunis,,Túnez
TR Istanbul,,Estambul
UA Kyiv,,Kiev
US New Orleans,,Nueva Orleans
US New York City,,Nueva York
US Philadelphia,,Filadelfia
ZA Cape Town,,Ciudad del Cabo
ZA Johannesburg,,Johannesburgo
`;

type Names = Pick<PlaceProperties, "name" | "name_es" | "name_local">;

/** The names of a city, by GeoNames' name and country; undefined for all others. */
export function findExonyms(country: string, name: string): Names | undefined {
  return EXONYMS.get(`${country} ${name}`);
}

const EXONYMS: ReadonlyMap<string, Names> = new Map(
  LINES.trim()
    .split("\n")
    .map((line) => {
      const [key = "", english = "", spanish = ""] = line.split(",");
      const local = key.slice(3);
      return [
        key,
        {
          name: english || local,
          ...(spanish && { name_es: spanish }),
          ...(english && { name_local: local }),
        },
      ];
    }),
);

/** Throws if a name is not that of a place, as GeoNames may rename one. */
export function requireExonyms(found: ReadonlySet<string>): void {
  const missing = [...EXONYMS.keys()].filter((key) => !found.has(key));
  if (missing.length > 0) throw new Error(`GeoNames has no place of the name: ${missing.join(", ")}`);
}
