/** `npm run wrangler -- ...`: wrangler on the deployed site, with the configuration that deployment/site.json makes. */
import { spawnSync } from "node:child_process";
import { ROOT } from "@lambda/testing/site";
import { deployedFlags } from "./deployment/config.ts";
import { sayFailures } from "./say-failures.ts";

sayFailures();

const args = [...process.argv.slice(2), ...deployedFlags()];
const { status } = spawnSync(`${ROOT}node_modules/.bin/wrangler`, args, { cwd: ROOT, stdio: "inherit" });
process.exitCode = status ?? 1;
