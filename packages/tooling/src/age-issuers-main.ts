import { refreshIssuers } from "./age-issuers.ts";

/** `npm run age-issuers`: refreshes the trusted issuers, as each deployment does. */
await refreshIssuers();
