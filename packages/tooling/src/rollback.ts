/** `npm run rollback [-- VERSION]`: gives all requests to the previous version (docs/OPERATIONS.md, Going back). */
import { goBack, listDeployments, previousVersion, requireDatabases } from "./deploy/deployments.ts";
import { runSmokeTest } from "./deploy/smoke.ts";
import { openTarget } from "./deploy/target.ts";
import { listOrigins } from "./deployment/site-file.ts";
import { sayFailures } from "./say-failures.ts";

sayFailures();

const [requested] = process.argv.slice(2);
const { account, script, site } = await openTarget();
const version = requested ?? (await previousVersion(account, script, await listDeployments(account, script)));
await requireDatabases(account, script, version, [site.database ?? "", ...Object.values(site.messageDatabases ?? {})]);
const oldSecrets = await goBack(account, script, version, "rollback");
console.log(`${version} has all requests.`);
if (oldSecrets) {
  console.log(`It runs with the secrets of its time (${oldSecrets}).`);
  console.log("Set each of these again now: npm run secret -- NAME");
}
await runSmokeTest({ origins: listOrigins(site), script, version });
console.log(
  "It answers. The database is unchanged: migrations are written to be compatible with the previous version.",
);
