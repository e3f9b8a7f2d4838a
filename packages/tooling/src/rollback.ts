/** `npm run rollback [-- VERSION]`: gives all requests to the previous version (docs/OPERATIONS.md, Going back). */
import { BRANDS } from "@lambda/brands";
import { listDeployments, previousVersion, setTrafficSplit } from "./deploy/deployments.ts";
import { runSmokeTest } from "./deploy/smoke.ts";
import { openTarget } from "./deploy/target.ts";

const [requested] = process.argv.slice(2);
const { account, script } = await openTarget();
const version = requested ?? previousVersion(await listDeployments(account, script));
await setTrafficSplit(account, script, [{ version_id: version, percentage: 100 }], "rollback");
console.log(`${version} has all requests.`);
await runSmokeTest({ origins: BRANDS.map(({ hosts }) => `https://${hosts[0]}`), script, version });
console.log(
  "It answers. The database is unchanged: migrations are written to be compatible with the previous version.",
);
