import { spawnSync } from "node:child_process";
import { BRANDS, missingContacts } from "@lambda/brands";
import { gitVariables, ROOT } from "@lambda/testing/site";
import { buildWeb } from "./build-web.ts";

/** `npm run deploy`: builds and deploys to production, with the commit that /api/version then names. */
for (const { id, contact } of BRANDS) {
  const missing = missingContacts(contact);
  if (missing.length > 0) console.warn(`${id}: the legal notice lacks ${missing.join(", ")} (docs/OPERATIONS.md)`);
}
await buildWeb();
const { status } = spawnSync(
  `${ROOT}node_modules/.bin/wrangler`,
  ["deploy", "--env", "production", ...gitVariables(), ...process.argv.slice(2)],
  { cwd: ROOT, stdio: "inherit" },
);
process.exit(status ?? 1);
