/** `npm run setup [-- --dry-run] [--answers FILE] [--ask]`: from an empty account to a running site (docs/OPERATIONS.md, First day). */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempDisposableSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline/promises";
import { parseArgs } from "node:util";
import { WORLD_ARCHIVE } from "@lambda/contract/map-archives";
import { ROOT } from "@lambda/testing/site";
import { readWranglerConfig } from "@lambda/testing/wrangler-config";
import { openAccount, readApiSettings } from "./account/client.ts";
import { BUCKET, putRemotely } from "./basemap/archives.ts";
import { buildBasemap } from "./basemap/build.ts";
import { runStreets } from "./basemap/streets.ts";
import { useAsMember } from "./deploy/member-check.ts";
import { awaitOrigins, runSmokeTest } from "./deploy/smoke.ts";
import { createUploader } from "./deploy/upload.ts";
import { deployedName, writeDeployedConfig } from "./deployment/config.ts";
import { DEPLOYMENT, listOrigins, readSite, requireSite, siteBrands, updateSite } from "./deployment/site-file.ts";
import { INNER_COMMAND, sayFailures } from "./say-failures.ts";
import { type Answers, askAll, checkAnswers } from "./setup/answers.ts";
import { askHidden } from "./setup/ask-hidden.ts";
import type { Keys } from "./setup/keys.ts";
import { setUp } from "./setup/steps.ts";
import { checkStreets } from "./setup/streets.ts";

sayFailures("Run npm run setup again to continue from here.");

/** Of a setup that stopped among its questions. */
const DRAFT = join(ROOT, DEPLOYMENT, "answers.json");
const ESCROW = join(ROOT, DEPLOYMENT, "keys.sealed.json");

const { values } = parseArgs({
  options: {
    "dry-run": { type: "boolean", default: false },
    /** A JSON file with the answers, instead of prompts. */
    answers: { type: "string" },
    /** Asks all questions again. */
    ask: { type: "boolean", default: false },
  },
});

const dryRun = values["dry-run"];
const account = await openAccount(readApiSettings(process.env));
const answers = await getAnswers(readSite(ROOT)?.answers);
// Kept also if setup stops here, so that nothing is asked twice.
updateSite(ROOT, { answers });
rmSync(DRAFT, { force: true });
const config = readWranglerConfig();
const { production } = config.env;
const script = deployedName(config);
const say = (line: string) => console.log(line);
const remaining = await setUp({
  account,
  answers,
  dryRun,
  root: ROOT,
  escrow: ESCROW,
  script,
  database: "lambda",
  buckets: production.r2_buckets.map(({ bucket_name }) => bucket_name),
  queues: ["lambda-push", "lambda-push-dead"],
  backupToken: process.env.BACKUP_TOKEN,
  askPassphrase: async (isNew) => process.env.SETUP_PASSPHRASE ?? askHidden(isNew),
  putWorld,
  putStreets: () => runStreets(["add", streetsName(answers.firstCity.name), answers.streets, "--remote"], say),
  deployFirst: async (secrets) => deployFirst(secrets),
  setTriggers: () => createUploader(writeDeployedConfig()).setTriggers(),
  awaitSite: async () => {
    const site = requireSite(ROOT);
    const origins = listOrigins(site);
    await awaitOrigins({ origins, say });
    await runSmokeTest({ origins, script });
    await useAsMember({ account, site, databaseId: site.database ?? "" }, {}, say);
  },
  say,
});
console.log(
  remaining.length === 0 ? "\nnpm run setup is complete." : `\nLeft for you to do:\n- ${remaining.join("\n- ")}`,
);
if (dryRun) console.log("Nothing was created. npm run setup does it, with these answers.");
console.log("For the steps that no command can do, see docs/OPERATIONS.md, First day.");

async function getAnswers(known: Answers | undefined): Promise<Answers> {
  if (values.answers) return checkAnswers(JSON.parse(readFileSync(values.answers, "utf8")) as Answers);
  if (known && !values.ask) return checkAnswers(known);
  using lines = createInterface({ input: process.stdin, output: process.stdout });
  return await askAll(
    async (question, suggestion) => {
      const answer = await lines.question(`${question}${suggestion && ` [${suggestion}]`}: `);
      return answer.trim() || suggestion;
    },
    existsSync(DRAFT) ? (JSON.parse(readFileSync(DRAFT, "utf8")) as Partial<Answers>) : known,
    (answers) => checkStreets(answers.streets, siteBrands(answers)),
    (answered) => {
      mkdirSync(join(ROOT, DEPLOYMENT), { recursive: true, mode: 0o700 });
      writeFileSync(DRAFT, JSON.stringify(answered), { mode: 0o600 });
    },
  );
}

async function putWorld(): Promise<void> {
  const file = join(ROOT, ".local/world.pmtiles");
  mkdirSync(join(ROOT, ".local"), { recursive: true });
  if (!existsSync(file)) buildBasemap(file);
  await putRemotely(file, WORLD_ARCHIVE, BUCKET);
}

/** The name of the city's archive on the map. */
function streetsName(city: string): string {
  const plain = city.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
  return plain.replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "") || "first-city";
}

/** Keys are on disk unencrypted only during the deployment. */
function deployFirst(secrets: Keys): void {
  using folder = mkdtempDisposableSync(join(tmpdir(), "first-"));
  const file = join(folder.path, "secrets");
  const lines = Object.entries(secrets).map(([name, value]) => `${name}=${value}`);
  writeFileSync(file, lines.join("\n"), { mode: 0o600 });
  const { status } = spawnSync(
    process.execPath,
    [join(ROOT, "packages/tooling/src/deploy.mjs"), "--secrets-file", file],
    {
      cwd: ROOT,
      stdio: "inherit",
      env: { ...process.env, ...INNER_COMMAND },
    },
  );
  if (status !== 0) throw new Error("The first deployment stopped.");
}
