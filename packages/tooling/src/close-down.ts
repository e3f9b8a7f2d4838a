/** `npm run close-down [-- DAY | off]`: announces the end of the site, or calls it off (docs/OPERATIONS.md, Closing down). */
import { spawnSync } from "node:child_process";
import { ROOT } from "@lambda/testing/site";
import { planClosing } from "./closing.ts";
import { requireSite, updateSite } from "./deployment/site-file.ts";
import { sayFailures } from "./say-failures.ts";

sayFailures();

const { vars = {} } = requireSite(ROOT);
const current = vars.CLOSING_ON ?? "";
const { value, says } = planClosing(process.argv[2], current, Date.now());
console.log(says);
if (process.argv[2] !== undefined) {
  updateSite(ROOT, { vars: { ...vars, CLOSING_ON: value } });
  // Also if it was written before: a deployment that failed is tried again.
  process.exitCode = spawnSync("npm", ["run", "deploy"], { cwd: ROOT, stdio: "inherit" }).status ?? 1;
}
