import type { DeviceKey } from "./device-storage.ts";

/** Whose choice GEO and LAST_LOCATION are: they must not become those of another member who logs in here. */
export const GEO_ACCOUNT: DeviceKey<number> = {
  name: "geo_account",
  fallback: 0,
  accepts: (value): value is number => typeof value === "number",
};
