import { PUNISHING } from "@lambda/contract/punishing";

/** The atlas identifies countries by ISO 3166-1 numeric codes. */
const NUMERIC = new Map(
  (
    "AF004 DZ012 BD050 BN096 BF854 BI108 CM120 TD148 KM174 EG818 ER232 SZ748 ET231 GM270 GH288 GD308 GN324 GY328 " +
    "ID360 IR364 IQ368 JM388 KE404 KI296 KW414 LB422 LR430 LY434 MW454 MY458 MV462 ML466 MR478 MA504 MM104 NG566 " +
    "OM512 PK586 PS275 PG598 QA634 RU643 VC670 WS882 SA682 SN686 SL694 SB090 SO706 SS728 LK144 SD729 SY760 TZ834 " +
    "TG768 TO776 TT780 TN788 TM795 TV798 UG800 AE784 UZ860 EH732 YE887 ZM894 ZW716"
  )
    .split(" ")
    .map((code) => [code.slice(2), code.slice(0, 2)]),
);

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
  const code = NUMERIC.get(id ?? "") ?? BY_NAME[name ?? ""];
  const entry = PUNISHING.find(({ country }) => country === code);
  if (!entry) return undefined;
  const { box } = entry;
  if (box && (lat < box.latMin || lat > box.latMax || lon < box.lonMin || lon > box.lonMax)) return undefined;
  return entry.country;
}
