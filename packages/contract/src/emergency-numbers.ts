/**
 * Emergency numbers by country. The fallback is 112: mobile phones everywhere recognize it as an emergency number (3GPP TS 22.101), and
 * most networks connect it.
 *
 * Sources: Directive (EU) 2018/1972, Article 109 (112 in the EU and EEA); 47 USC 251(e)(3) (911 in the United States); the others as
 * published by their emergency services, not yet verified against each country's register.
 *
 * Last reviewed on 2026-11-22; docs/OPERATIONS.md says who does so each year.
 */

/** Countries by their number, or by that of the police and that of the ambulance. */
const NUMBERS: Readonly<Record<string, string>> = {
  "112":
    "AD AL AT AX BE BG CH CY CZ DE DK EE ES FI FO FR GE GF GG GI GL GP GR HR HU IE IM IS IT JE LI LT LU LV MC ME MK MQ MT NL PL PT RE RO RU SE SI SK SM TR UA VA XK YT AZ KZ IN MD",
  "999": "GB HK MO MY BH QA BD KE",
  "911": "US CA MX PR GU VI AS MP AR AW BB BM BS BZ CR DO EC GD HN KN KY LC MS PA PH PY SV TC UY VC VG JO LR VE",
  "000": "AU CX CC NF",
  "111": "NZ",
  "123": "CO",
  "999 998": "AE",
  "102 103": "AM BY KG MN UZ",
  "122 124": "BA",
  "993 991": "BN",
  "110 118": "BO ID",
  "190 192": "BR",
  "133 131": "CL",
  "110 120": "CN",
  "106 104": "CU",
  "17 14": "DZ",
  "122 123": "EG",
  "110 128": "GT",
  "100 101": "IL",
  "110 115": "IR",
  "119 110": "JM",
  "110 119": "JP TW",
  "117 119": "KH",
  "112 119": "KR",
  "191 195": "LA",
  "112 140": "LB",
  "119 1990": "LK",
  "19 15": "MA",
  "199 192": "MM",
  "119 102": "MV",
  "118 128": "NI",
  "112 113": "NO",
  "100 102": "NP",
  "105 106": "PE",
  "15 1122": "PK",
  "192 194": "RS",
  "999 997": "SA",
  "999 995": "SG",
  "17 15": "SN",
  "191 1669": "TH",
  "197 190": "TN",
  "999 811": "TT",
  "113 115": "VN",
  "10111 10177": "ZA",
};

/** The numbers of an ISO 3166 country; `known` is false for the fallback to 112. */
export function emergencyNumbers(country: string) {
  const found = Object.entries(NUMBERS).find(([, countries]) => countries.split(" ").includes(country));
  const [police = "112", ambulance = police] = found?.[0].split(" ") ?? [];
  return { police, ambulance, known: found !== undefined };
}

export const EMERGENCY_COUNTRIES: readonly string[] = Object.values(NUMBERS)
  .flatMap((countries) => countries.split(" "))
  .sort();
