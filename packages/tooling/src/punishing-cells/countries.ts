import { PUNISHING } from "@lambda/contract/punishing";

/** The atlas identifies countries by ISO 3166-1 numeric codes. */
const NUMERIC: Readonly<Record<string, string>> = {
  "004": "AF",
  "012": "DZ",
  "050": "BD",
  "096": "BN",
  "854": "BF",
  "108": "BI",
  "120": "CM",
  "148": "TD",
  "174": "KM",
  "818": "EG",
  "232": "ER",
  "748": "SZ",
  "231": "ET",
  "270": "GM",
  "288": "GH",
  "308": "GD",
  "324": "GN",
  "328": "GY",
  "360": "ID",
  "364": "IR",
  "368": "IQ",
  "388": "JM",
  "404": "KE",
  "296": "KI",
  "414": "KW",
  "422": "LB",
  "430": "LR",
  "434": "LY",
  "454": "MW",
  "458": "MY",
  "462": "MV",
  "466": "ML",
  "478": "MR",
  "504": "MA",
  "104": "MM",
  "566": "NG",
  "512": "OM",
  "586": "PK",
  "275": "PS",
  "598": "PG",
  "634": "QA",
  "643": "RU",
  "670": "VC",
  "882": "WS",
  "682": "SA",
  "686": "SN",
  "694": "SL",
  "090": "SB",
  "706": "SO",
  "728": "SS",
  "144": "LK",
  "729": "SD",
  "760": "SY",
  "834": "TZ",
  "768": "TG",
  "776": "TO",
  "780": "TT",
  "788": "TN",
  "795": "TM",
  "798": "TV",
  "800": "UG",
  "784": "AE",
  "860": "UZ",
  "732": "EH",
  "887": "YE",
  "894": "ZM",
  "716": "ZW",
};

/** Areas without a numeric code in the atlas. */
const BY_NAME: Readonly<Record<string, string>> = { Somaliland: "SO" };

export const COUNTRY_CODES: readonly string[] = PUNISHING.map(({ country }) => country);

/** The punishing country at a point of an atlas area. Regional laws only count inside their box. */
export function punishingCountryAt(
  id: string | undefined,
  name: string | undefined,
  lat: number,
  lon: number,
): string | undefined {
  const code = (id !== undefined && NUMERIC[id]) || BY_NAME[name ?? ""];
  const entry = PUNISHING.find(({ country }) => country === code);
  if (!entry) return undefined;
  const { box } = entry;
  if (box && (lat < box.latMin || lat > box.latMax || lon < box.lonMin || lon > box.lonMax)) return undefined;
  return entry.country;
}
