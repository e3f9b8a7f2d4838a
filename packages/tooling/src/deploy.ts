/** `npm run deploy`: brings this commit to production (docs/OPERATIONS.md, Deploying). */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { BRANDS } from "@lambda/brands";
import { ROOT } from "@lambda/testing/site";
import { readWranglerConfig } from "@lambda/testing/wrangler-config";
import { refreshIssuers } from "./age-issuers.ts";
import { buildWeb } from "./build-web.ts";
import { refuseDevelopmentCode } from "./deploy/checks.ts";
import { deploy } from "./deploy/deploy.ts";
import { readMigrations } from "./deploy/numbered-migrations.ts";
import { STEPS } from "./deploy/rollout.ts";
import { smoke } from "./deploy/smoke.ts";
import { openTarget } from "./deploy/target.ts";
import { createUploader } from "./deploy/upload.ts";

const { values } = parseArgs({
  options: {
    "dry-run": { type: "boolean", default: false },
    /** Percent of the requests, in their order. */
    steps: { type: "string", default: STEPS.join(",") },
    /** Seconds between two looks at a step, and how many looks. */
    pause: { type: "string", default: "20" },
    looks: { type: "string", default: "6" },
    "secrets-file": { type: "string" },
  },
});
const steps = values.steps.split(",").map(Number);
if (!isAscendingTo100(steps)) throw new Error(`--steps ${values.steps}: ascending, and 100 in the end`);

const target = await openTarget();
const commit = git("rev-parse", "HEAD");
try {
  await deploy({
    ...createUploader(),
    ...{ target, commit, steps, looks: Number(values.looks), dryRun: values["dry-run"] },
    config: readWranglerConfig(),
    brands: BRANDS,
    schema: readFileSync(join(ROOT, "schema.sql"), "utf8"),
    migrations: readMigrations(join(ROOT, "migrations")),
    uncommitted: git("status", "--porcelain")?.split("\n").filter(Boolean) ?? [],
    secretsFile: values["secrets-file"],
    build: async () => {
      if (!values["dry-run"]) await refreshIssuers();
      await buildWeb();
      refuseDevelopmentCode();
    },
    smoke: (version) =>
      smoke({
        origins: BRANDS.map(({ hosts }) => `https://${hosts[0]}`),
        script: target.script,
        ...(version && { version }),
        ...(commit && { commit }),
      }),
    pause: () => new Promise((resolve) => setTimeout(resolve, Number(values.pause) * 1000)),
    say: (line) => console.log(line),
  });
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}

function isAscendingTo100(list: readonly number[]): boolean {
  return list.at(-1) === 100 && list.every((step, at) => step > (list[at - 1] ?? 0));
}

function git(...args: string[]): string | undefined {
  try {
    return execFileSync("git", args, { cwd: ROOT, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
  } catch {
    return undefined;
  }
}
