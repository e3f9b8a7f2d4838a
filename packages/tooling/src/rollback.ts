/** `npm run rollback [-- VERSION]`: gives all requests back to the version before (docs/OPERATIONS.md, Going back). */
import { BRANDS } from "@lambda/brands";
import { listDeployments, setShares, versionBefore } from "./deploy/deployments.ts";
import { smoke } from "./deploy/smoke.ts";
import { openTarget } from "./deploy/target.ts";

const [asked] = process.argv.slice(2);
const { account, script } = await openTarget();
const version = asked ?? versionBefore(await listDeployments(account, script));
await setShares(account, script, [{ version_id: version, percentage: 100 }], "rollback");
console.log(`${version} has all requests.`);
await smoke({ origins: BRANDS.map(({ hosts }) => `https://${hosts[0]}`), script, version });
console.log("It answers. The database stays as it is: migrations are written so that the version before bears them.");
