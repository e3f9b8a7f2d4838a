/**
 * The regions of the world, as Durable Object location hints; each has its own watermark (watermark-object.ts). Development builds have two,
 * so that tests can read from a distant one.
 */
const ALL_REGIONS = [
  "wnam",
  "enam",
  "sam",
  "weur",
  "eeur",
  "apac",
  "oc",
  "afr",
  "me",
] as const satisfies readonly DurableObjectLocationHint[];

export type Region = (typeof ALL_REGIONS)[number];

export const allRegions = (): readonly Region[] => (__DEVELOPMENT__ ? ["enam", "oc"] : ALL_REGIONS);

/** Longitudes that separate western from eastern North America, western from eastern Europe, and the Middle East from Asia. */
const BORDER_LONGITUDES = { NA: -100, EU: 15, AS: 60 } as const;
const CONTINENT_REGIONS: Readonly<Record<string, Region>> = { SA: "sam", OC: "oc", AF: "afr", AN: "oc" };

/** The client's region. It only affects speed: every region knows what must no longer be shown. */
export function regionOf(request: Pick<Request, "headers" | "cf">): Region {
  if (__DEVELOPMENT__) return request.headers.get("x-development-region") === "oc" ? "oc" : "enam";
  const { continent = "NA", longitude } = (request.cf ?? {}) as { continent?: string; longitude?: string };
  const degreesEast = Number(longitude ?? 0);
  if (continent === "NA") return longitude !== undefined && degreesEast < BORDER_LONGITUDES.NA ? "wnam" : "enam";
  if (continent === "EU") return degreesEast < BORDER_LONGITUDES.EU ? "weur" : "eeur";
  if (continent === "AS") return degreesEast < BORDER_LONGITUDES.AS ? "me" : "apac";
  return CONTINENT_REGIONS[continent] ?? "enam";
}
