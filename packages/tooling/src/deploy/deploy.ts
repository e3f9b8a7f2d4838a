/**
 * A deployment from its checks to the last step of its rollout. Nothing here removes or exchanges a database or a bucket: what cannot go on
 * stops with a sentence.
 */
import type { Brand } from "@lambda/brands";
import { reviewWarning } from "@lambda/contract/punishing";
import { listMessageDatabases } from "@lambda/testing/message-databases";
import type { WranglerConfig } from "@lambda/testing/wrangler-config";
import { isMissing, listSecrets } from "../account/resources.ts";
import { listConfigProblems, listMissingContacts, listMissingSecrets } from "./checks.ts";
import { listDeployments } from "./deployments.ts";
import { listPending, type NumberedMigration, runPending } from "./numbered-migrations.ts";
import { rollOut } from "./rollout.ts";
import { listMigratable, listSchemaDifferences, type Migratable, remoteRunner, type Target } from "./target.ts";
import type { Uploader } from "./upload.ts";

export interface Deploy extends Uploader {
  readonly target: Target;
  readonly config: WranglerConfig & { readonly migrations?: readonly { readonly tag: string }[] };
  readonly brands: readonly Pick<Brand, "id" | "hosts">[];
  readonly schema: string;
  readonly migrations: readonly NumberedMigration[];
  /** Of what is deployed; undefined outside of a git checkout. */
  readonly commit: string | undefined;
  /** Files that differ from the commit. */
  readonly uncommitted: readonly string[];
  readonly steps: readonly number[];
  readonly looks: number;
  /** Says what would be done and changes nothing. */
  readonly dryRun: boolean;
  /** Of a first deployment. */
  readonly secretsFile?: string | undefined;
  /** Bundles, and throws unless it is a production build. */
  build(): Promise<void>;
  smoke(version: string | undefined): Promise<void>;
  pause(): Promise<void>;
  say(line: string): void;
}

/** Throws with the reasons where something must be mended first. */
export async function deploy(it: Deploy): Promise<void> {
  const { target, say } = it;
  const notes = [...listMissingContacts(), reviewWarning(Date.now()) ?? []].flat();
  for (const line of notes) say(`Note: ${line.replace(/\.$/, "")} (docs/OPERATIONS.md).`);
  const problems = [
    ...listConfigProblems(it.config, it.brands),
    ...it.uncommitted.map((file) => `${file} is not committed, and /api/version would name a commit without it`),
  ];
  const deployments = await listDeployments(target.account, target.script);
  const isFirst = deployments.length === 0;
  if (!it.secretsFile) {
    const missing = listMissingSecrets(it.config, await listSecrets(target.account, target.script));
    problems.push(...missing.map((name) => `the account has no secret ${name} (npm run setup makes it)`));
  }
  if (problems.length > 0) throw new Error(`This cannot be deployed:\n- ${problems.join("\n- ")}`);
  say("Of vars that [env.production.vars] lacks wrangler warns in vain: keys are secrets, and no file holds them.");
  await it.build();
  await migrate(it);
  const message = it.commit?.slice(0, 12) ?? "no commit";
  if (isFirst || (await changesClasses(it))) {
    say(
      isFirst
        ? "The first deployment: all at once."
        : "The classes of objects change: the platform does that all at once.",
    );
    if (it.dryRun) return say("Dry run: nothing was uploaded.");
    await it.replace(it.secretsFile);
    await it.smoke(undefined);
    return say("Deployed.");
  }
  if (it.dryRun) return say(`Dry run: would go out as ${message}, at ${it.steps.join(", ")} %. Nothing was uploaded.`);
  const version = await it.upload(message);
  const { smoke, pause, looks, steps } = it;
  await rollOut(target.account, {
    ...{ script: target.script, version, message, steps, looks, pause, say },
    smoke: () => smoke(version),
  });
  await it.setTriggers();
  say(`Deployed. To go back: npm run rollback`);
}

/** The deployed databases are brought to schema.sql first: the code that still runs must bear what is added (docs/OPERATIONS.md). */
async function migrate(it: Deploy): Promise<void> {
  const { account } = it.target;
  const bound = it.config.env.production.d1_databases;
  for (const database of listMigratable(bound, it, ({ id }) => remoteRunner({ account, databaseId: id })))
    await migrateOne(database, it);
  await refuseUnbound(it);
}

async function migrateOne({ name, migrations, schema, run }: Migratable, { dryRun, say }: Deploy): Promise<void> {
  if (dryRun) {
    const pending = await listPending(migrations, run);
    if (pending.length > 0)
      return say(`Would run in ${name}: ${pending.map((migration) => migration.name).join(", ")}`);
  } else {
    const done = await runPending(migrations, run, Date.now(), (migration, { step, rows, ms }) =>
      say(`${name}, ${migration}, step ${step + 1}: ${rows} rows, ${(ms / 1000).toFixed(1)} s`),
    );
    if (done.length > 0) say(`Migrated ${name}: ${done.join(", ")}`);
  }
  const differences = await listSchemaDifferences(run, schema);
  if (differences.length > 0) {
    throw new Error(`${name}, deployed, is not what schema.sql says: ${differences.join(", ")}. Write a migration.`);
  }
}

/** Without a database that holds messages nobody could open those. */
async function refuseUnbound({ target, config }: Deploy): Promise<void> {
  const run = remoteRunner(target);
  // Not there before the migration that brings it.
  if ((await run("SELECT 1 FROM sqlite_master WHERE name = 'message_database'")).length === 0) return;
  const used = await run("SELECT number FROM message_database WHERE ts_measured > 0 ORDER BY number");
  const bound = new Set(listMessageDatabases(config.env.production.d1_databases).map(({ number }) => number));
  const missing = used.map(({ number }) => Number(number)).filter((number) => !bound.has(number));
  if (missing.length > 0)
    throw new Error(`wrangler.toml no longer binds databases with messages: ${missing.map((n) => `MESSAGES_${n}`)}`);
}

/** Versions that bring other classes of objects cannot be rolled out by shares. */
async function changesClasses({ target, config }: Deploy): Promise<boolean> {
  const wanted = config.migrations?.at(-1)?.tag;
  try {
    const service = await target.account.ask<{ default_environment?: { script?: { migration_tag?: string } } }>(
      "GET",
      `~/workers/services/${target.script}`,
    );
    return service.default_environment?.script?.migration_tag !== wanted;
  } catch (error) {
    if (isMissing(error)) return true;
    throw error;
  }
}
