import type { DeviceKey } from "./device-storage.ts";

/** The account that GEO and LAST_LOCATION belong to, so that another member who logs in here does not inherit them. */
export const GEO_ACCOUNT: DeviceKey<number> = {
  name: "geo_account",
  fallback: 0,
  isValid: (value): value is number => typeof value === "number",
};
