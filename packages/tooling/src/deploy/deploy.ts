/**
 * A deployment, from its checks to the last step of its rollout. It never removes or replaces a database or bucket; if it cannot
 * continue, it stops with an explanation.
 */
import type { Brand } from "@lambda/brands";
import { reviewWarning } from "@lambda/contract/punishing";
import { listMessageDatabases } from "@lambda/testing/message-databases";
import type { WranglerConfig } from "@lambda/testing/wrangler-config";
import { listSecrets } from "../account/resources.ts";
import { listSchemaDifferences } from "../schema-differences.ts";
import { listConfigProblems, listMissingContacts } from "./checks.ts";
import { listDeployments } from "./deployments.ts";
import { listPending, type NumberedMigration, runPending } from "./numbered-migrations.ts";
import { rollOut } from "./rollout.ts";
import { listMigratable, type MigratableDatabase, remoteRunner, type Target } from "./target.ts";
import type { Uploader } from "./upload.ts";

export interface DeployOptions extends Uploader {
  readonly target: Target;
  readonly config: WranglerConfig & { readonly migrations?: readonly { readonly tag: string }[] };
  readonly brands: readonly Pick<Brand, "id" | "hosts" | "contact">[];
  readonly schema: string;
  readonly migrations: readonly NumberedMigration[];
  /** The commit to deploy; undefined outside a git checkout. */
  readonly commit: string | undefined;
  /** The commit that added the newest class of Durable Object, by whose rule it does nothing else; undefined if git does not know. */
  readonly classCommit: string | undefined;
  /** Goes without a way back where a class is added. */
  readonly atOnce: boolean;
  readonly uncommitted: readonly string[];
  readonly steps: readonly number[];
  readonly looks: number;
  /** Reports what would be done, without changing anything. */
  readonly dryRun: boolean;
  /** Only says what must be fixed first, without asking a database: before a restore closes the site. */
  readonly onlyChecks?: boolean;
  /** Secrets to set together with the code: all at the first deployment, changed ones later. */
  readonly secretsFile?: string | undefined;
  /** Builds the site and throws if the bundle contains development code. */
  build(): Promise<void>;
  /** Puts the files of this build where every version finds them. */
  keepFiles(): Promise<number>;
  smoke(version: string | undefined): Promise<void>;
  awaitSite(): Promise<void>;
  pause(): Promise<void>;
  say(line: string): void;
}

/** Throws with all reasons if something must be fixed first. */
export async function deploy(it: DeployOptions): Promise<void> {
  const { target, say } = it;
  const notes = [...listMissingContacts(it.brands), reviewWarning(Date.now()) ?? []].flat();
  for (const line of notes) say(`Note: ${line.replace(/\.$/, "")} (docs/OPERATIONS.md).`);
  const problems = [
    ...listConfigProblems(it.config, it.brands),
    ...it.uncommitted.map((file) => `${file} is not committed, and /api/version would name a commit without it`),
  ];
  const deployments = await listDeployments(target.account, target.script);
  const isFirst = deployments.length === 0;
  if (!(isFirst && it.secretsFile)) {
    const known = new Set((await listSecrets(target.account, target.script)) ?? []);
    const missing = (it.config.env.production.secrets?.required ?? []).filter((name) => !known.has(name));
    problems.push(
      ...missing.map(
        (name) =>
          `the account has no secret ${name} (${isFirst ? "npm run setup makes it" : "npm run keys -- restore sets it again"})`,
      ),
    );
  }
  if (problems.length > 0) throw new Error(`This cannot be deployed:\n- ${problems.join("\n- ")}`);
  if (it.onlyChecks) return;
  const addsClass = !isFirst && (await changesObjectClasses(it));
  if (addsClass) requireWayBack(it);
  say("Building the site ...");
  await it.build();
  await migrate(it);
  const message = it.commit?.slice(0, 12) ?? "no commit";
  if (isFirst || addsClass) {
    say(
      isFirst
        ? "The first deployment: all at once."
        : "The Durable Object classes change, which the platform only supports all at once.",
    );
    if (it.dryRun) return say("Dry run: nothing was uploaded.");
    await uploadFiles(it);
    await it.deployAtOnce(it.secretsFile);
    if (isFirst) await it.awaitSite();
    await it.smoke(undefined);
    return say("Deployed.");
  }
  if (it.dryRun) return say(`Dry run: would go out as ${message}, at ${it.steps.join(", ")} %. Nothing was uploaded.`);
  await uploadFiles(it);
  const version = await it.upload(message, it.secretsFile);
  const { smoke, pause, looks, steps } = it;
  await rollOut(target.account, {
    script: target.script,
    version,
    message,
    steps,
    looks,
    pause,
    say,
    smoke: () => smoke(version),
  });
  await it.setTriggers();
  say("Deployed. To undo: npm run rollback");
}

/** The files first: from its first request on, pages of this version ask other versions for them. */
async function uploadFiles({ keepFiles, say }: DeployOptions): Promise<void> {
  say(`Uploading: ${await keepFiles()} files, then the version ...`);
}

/** Migrates the databases before the code, so the running version must tolerate the additions (docs/OPERATIONS.md). */
async function migrate(it: DeployOptions): Promise<void> {
  const { account } = it.target;
  const bound = it.config.env.production.d1_databases;
  for (const database of listMigratable(bound, it, ({ id }) => remoteRunner({ account, databaseId: id })))
    await migrateDatabase(database, it);
  await rejectUnboundDatabases(it);
}

async function migrateDatabase(
  { name, migrations, schema, run }: MigratableDatabase,
  { dryRun, say }: DeployOptions,
): Promise<void> {
  if (dryRun) {
    const pending = await listPending(migrations, run);
    if (pending.length > 0)
      return say(`Would run in ${name}: ${pending.map((migration) => migration.name).join(", ")}`);
  } else {
    const done = await runPending(migrations, run, Date.now(), (line) => say(`${name}, ${line}`));
    if (done.length > 0) say(`Migrated ${name}: ${done.join(", ")}`);
  }
  const differences = await listSchemaDifferences(run, schema);
  if (differences.length > 0) {
    throw new Error(`${name}, deployed, is not what schema.sql says: ${differences.join(", ")}. Write a migration.`);
  }
}

/** Throws if deployment/site.json no longer names a database that has messages, since nobody could read them. */
async function rejectUnboundDatabases({ target, config }: DeployOptions): Promise<void> {
  const run = remoteRunner(target);
  // The table does not exist before the migration that creates it.
  if ((await run("SELECT 1 FROM sqlite_master WHERE name = 'message_database'")).length === 0) return;
  const used = await run("SELECT number FROM message_database WHERE ts_measured > 0 ORDER BY number");
  const bound = new Set(listMessageDatabases(config.env.production.d1_databases).map(({ number }) => number));
  const missing = used.map(({ number }) => Number(number)).filter((number) => !bound.has(number));
  if (missing.length > 0)
    throw new Error(
      `deployment/site.json no longer names databases with messages: ${missing.map((n) => `MESSAGES_${n}`)}`,
    );
}

/**
 * Nothing goes back beyond a new class, so the version with the class alone goes out at once, and what uses it can go back to that.
 */
function requireWayBack({ classCommit, commit, atOnce }: DeployOptions): void {
  if (atOnce || !classCommit || classCommit === commit) return;
  const take = (version: string) => `git checkout ${version} && npm run deploy`;
  throw new Error(
    `This version adds a class of Durable Object, beyond which nothing goes back. Take what comes before it, the class alone, and ` +
      `the rest, each with a way back:\n${[`${classCommit}^`, classCommit, "main"].map(take).join("\n")}\nOr all at once: npm run deploy -- --at-once`,
  );
}

/** Versions that change Durable Object classes cannot be rolled out gradually. */
async function changesObjectClasses({ target, config }: DeployOptions): Promise<boolean> {
  const { id, api } = target.account;
  const { result: scripts } = await api.workers.scripts.list({ account_id: id });
  return scripts.find((script) => script.id === target.script)?.migration_tag !== config.migrations?.at(-1)?.tag;
}
