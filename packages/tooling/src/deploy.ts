import { spawnSync } from "node:child_process";
import { BRANDS, missingContacts } from "@lambda/brands";
import { readAgePolicy } from "@lambda/contract/age-policy";
import { readAgeProvider } from "@lambda/contract/age-provider";
import { gitVariables, ROOT } from "@lambda/testing/site";
import { readWranglerConfig } from "@lambda/testing/wrangler-config";
import { refreshIssuers } from "./age-issuers.ts";
import { buildWeb } from "./build-web.ts";

/** `npm run deploy`: builds and deploys to production, with the commit that /api/version then names. */
for (const { id, contact } of BRANDS) {
  const missing = missingContacts(contact);
  if (missing.length > 0) console.warn(`${id}: the legal notice lacks ${missing.join(", ")} (docs/OPERATIONS.md)`);
}
checkAges();
await refreshIssuers();
await buildWeb();
const { status } = spawnSync(
  `${ROOT}node_modules/.bin/wrangler`,
  ["deploy", "--env", "production", ...gitVariables(), ...process.argv.slice(2)],
  { cwd: ROOT, stdio: "inherit" },
);
process.exit(status ?? 1);

/** Ends here over a table that the worker would not start with, with the row that is wrong. */
function checkAges(): void {
  const { AGE_POLICY, AGE_OIDC } = readWranglerConfig().env.production.vars;
  try {
    readAgePolicy(AGE_POLICY);
    readAgeProvider(AGE_OIDC);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  }
}
