/**
 * Emergency numbers by country. The fallback is 112: mobile phones everywhere recognize it as an emergency number (3GPP TS 22.101), and
 * most networks connect it.
 *
 * Sources: Directive (EU) 2018/1972, Article 109 (112 in the EU and EEA); 47 USC 251(e)(3) (911 in the United States); the others as
 * published by their emergency services, not yet verified against each country's register.
 *
 * Last reviewed on 2026-11-22; docs/OPERATIONS.md says who does so each year.
 */

export interface EmergencyNumbers {
  readonly police: string;
  readonly ambulance: string;
}

const ONE_NUMBER: Readonly<Record<string, string>> = {
  112: "AD AL AT AX BE BG CH CY CZ DE DK EE ES FI FO FR GE GF GG GI GL GP GR HR HU IE IM IS IT JE LI LT LU LV MC ME MK MQ MT NL PL PT RE RO RU SE SI SK SM TR UA VA XK YT AZ KZ IN",
  999: "GB HK MO MY BH QA BD KE",
  911: "US CA MX PR GU VI AS MP AR AW BB BM BS BZ CR DO EC GD HN KN KY LC MS PA PH PY SV TC UY VC VG JO LR",
  "000": "AU CX CC NF",
  111: "NZ",
  123: "CO",
};

const TWO_NUMBERS: Readonly<Record<string, readonly [police: string, ambulance: string]>> = {
  AE: ["999", "998"],
  AM: ["102", "103"],
  BA: ["122", "124"],
  BN: ["993", "991"],
  BO: ["110", "118"],
  BR: ["190", "192"],
  BY: ["102", "103"],
  CL: ["133", "131"],
  CN: ["110", "120"],
  CU: ["106", "104"],
  DZ: ["17", "14"],
  EG: ["122", "123"],
  GT: ["110", "128"],
  ID: ["110", "118"],
  IL: ["100", "101"],
  IR: ["110", "115"],
  JM: ["119", "110"],
  JP: ["110", "119"],
  KG: ["102", "103"],
  KH: ["117", "119"],
  KR: ["112", "119"],
  LA: ["191", "195"],
  LB: ["112", "140"],
  LK: ["119", "1990"],
  MA: ["19", "15"],
  MD: ["112", "112"],
  MM: ["199", "192"],
  MN: ["102", "103"],
  MV: ["119", "102"],
  NI: ["118", "128"],
  NO: ["112", "113"],
  NP: ["100", "102"],
  PE: ["105", "106"],
  PK: ["15", "1122"],
  RS: ["192", "194"],
  SA: ["999", "997"],
  SG: ["999", "995"],
  SN: ["17", "15"],
  TH: ["191", "1669"],
  TN: ["197", "190"],
  TT: ["999", "811"],
  TW: ["110", "119"],
  UZ: ["102", "103"],
  VE: ["911", "911"],
  VN: ["113", "115"],
  ZA: ["10111", "10177"],
};

/** The numbers of an ISO 3166 country; `known` is false for the fallback to 112. */
export function emergencyNumbers(country: string): EmergencyNumbers & { readonly known: boolean } {
  const pair = TWO_NUMBERS[country];
  if (pair) return { police: pair[0], ambulance: pair[1], known: true };
  const [single] = Object.entries(ONE_NUMBER).find(([, countries]) => countries.split(" ").includes(country)) ?? [];
  return { police: single ?? "112", ambulance: single ?? "112", known: single !== undefined };
}

export const EMERGENCY_COUNTRIES: readonly string[] = [
  ...Object.values(ONE_NUMBER).flatMap((countries) => countries.split(" ")),
  ...Object.keys(TWO_NUMBERS),
].sort();
