/** `npm run deploy`: brings this commit to production (docs/OPERATIONS.md, Deploying). */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ROOT } from "@lambda/testing/site";
import { refreshIssuers } from "./age-issuers.ts";
import { buildWeb } from "./build-web.ts";
import { rejectDevelopmentCode } from "./deploy/checks.ts";
import { type DeployOptions, deploy } from "./deploy/deploy.ts";
import { keepFiles } from "./deploy/keep-files.ts";
import { useAsMember } from "./deploy/member-check.ts";
import { readMigrations } from "./deploy/numbered-migrations.ts";
import { ROLLOUT_STEPS } from "./deploy/rollout.ts";
import { awaitOrigins, runSmokeTest, versionHeaders } from "./deploy/smoke.ts";
import { openTarget } from "./deploy/target.ts";
import { createUploader } from "./deploy/upload.ts";
import { readDeployedConfig, writeDeployedConfig } from "./deployment/config.ts";
import { listBrands, listOrigins, siteBrands } from "./deployment/site-file.ts";
import { sayFailures, stopSignal } from "./say-failures.ts";

sayFailures("Run the same command again to continue: what is done is not done twice.");

const { values } = parseArgs({
  options: {
    "dry-run": { type: "boolean", default: false },
    /** Percentages of requests for each step of the rollout. */
    steps: { type: "string", default: ROLLOUT_STEPS.join(",") },
    /** Seconds between two checks of a step, and the number of checks. */
    pause: { type: "string", default: "20" },
    looks: { type: "string", default: "6" },
    "only-checks": { type: "boolean", default: false },
    "secrets-file": { type: "string" },
    /** Does not take a new class of Durable Object alone. */
    "at-once": { type: "boolean", default: false },
    /** Tests only what a visitor gets, for a site whose database commands must not write to. */
    "only-visitor": { type: "boolean", default: false },
  },
});
const steps = values.steps.split(",").map(Number);
if (!(steps.at(-1) === 100 && steps.every((step, index) => step > (steps[index - 1] ?? 0))))
  throw new Error(`--steps ${values.steps}: must be ascending and end with 100`);

const target = await openTarget();
const commit = git("rev-parse", "HEAD");
const { site } = target;
const origins = listOrigins(site);
const configFile = writeDeployedConfig();
const config: DeployOptions["config"] = readDeployedConfig();
const say = (line: string) => console.log(line);
let checkedAsMember = false;
await deploy({
  ...createUploader(configFile),
  target,
  commit,
  steps,
  looks: Number(values.looks),
  dryRun: values["dry-run"],
  onlyChecks: values["only-checks"],
  config,
  classCommit: git("log", "-1", "--format=%H", `-Stag = "${config.migrations?.at(-1)?.tag}"`, "--", "wrangler.toml"),
  atOnce: values["at-once"],
  brands: listBrands(site),
  schema: readFileSync(join(ROOT, "schema.sql"), "utf8"),
  migrations: readMigrations(join(ROOT, "migrations")),
  uncommitted: git("status", "--porcelain")?.split("\n").filter(Boolean) ?? [],
  secretsFile: values["secrets-file"],
  build: async () => {
    if (!values["dry-run"]) await refreshIssuers();
    // With the lists of issuers.
    writeDeployedConfig();
    await buildWeb(siteBrands(site.answers));
    await rejectDevelopmentCode(configFile);
  },
  keepFiles: () => keepFiles(target.account, join(ROOT, "apps/web/dist"), site.answers.location),
  smoke: async (version) => {
    const { script } = target;
    await runSmokeTest({ origins, script, ...(version && { version }), ...(commit && { commit }) });
    // Once is enough, at the smallest share.
    if (!values["only-visitor"] && !checkedAsMember) await useAsMember(target, versionHeaders(script, version), say);
    checkedAsMember = true;
  },
  pause: () =>
    new Promise((resolve, reject) => {
      setTimeout(resolve, Number(values.pause) * 1000);
      stopSignal.addEventListener("abort", () => reject(stopSignal.reason), { once: true });
    }),
  awaitSite: () => awaitOrigins({ origins, say }),
  say,
});

function git(...args: string[]): string | undefined {
  try {
    return execFileSync("git", args, { cwd: ROOT, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
  } catch {
    return undefined;
  }
}
