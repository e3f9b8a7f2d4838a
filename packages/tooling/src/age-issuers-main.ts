import { refreshIssuers } from "./age-issuers.ts";

/** `npm run age-issuers`: the same as a deployment does first. */
await refreshIssuers();
