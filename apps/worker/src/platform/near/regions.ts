/**
 * Where members are, in the words of the platform's location hints: each region has a watermark of its own (watermark-object.ts). A
 * development build has two, so that its tests can ask from afar.
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

/** West of it America's west coast is nearer, east of it Europe's east, and the Middle East ends there. */
const MERIDIANS = { NA: -100, EU: 15, AS: 60 } as const;
const OF_CONTINENT: Readonly<Record<string, Region>> = { SA: "sam", OC: "oc", AF: "afr", AN: "oc" };

/** The region of whoever asks. It is a matter of speed alone: every region knows what must not be shown any more. */
export function regionOf(request: Pick<Request, "headers" | "cf">): Region {
  if (__DEVELOPMENT__) return request.headers.get("x-development-region") === "oc" ? "oc" : "enam";
  const { continent = "NA", longitude } = (request.cf ?? {}) as { continent?: string; longitude?: string };
  const east = Number(longitude ?? 0);
  if (continent === "NA") return longitude !== undefined && east < MERIDIANS.NA ? "wnam" : "enam";
  if (continent === "EU") return east < MERIDIANS.EU ? "weur" : "eeur";
  if (continent === "AS") return east < MERIDIANS.AS ? "me" : "apac";
  return OF_CONTINENT[continent] ?? "enam";
}
