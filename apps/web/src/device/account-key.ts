import { deviceKey } from "./device-storage.ts";

/** The account that GEO and LAST_LOCATION belong to, so that another member who logs in here does not inherit them. */
export const GEO_ACCOUNT = deviceKey("geo_account", 0, (value) => typeof value === "number");
