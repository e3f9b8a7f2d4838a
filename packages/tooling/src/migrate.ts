/** `npm run migrate`: brings a database up to date, or runs one file of statements in chunks (docs/OPERATIONS.md, Changing the schema). */
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import { ROOT } from "@lambda/testing/site";
import { readWranglerConfig } from "@lambda/testing/wrangler-config";
import { listPending, markAllDone, migrationsFor, readMigrations, runPending } from "./deploy/numbered-migrations.ts";
import {
  listMigratable,
  localRunner,
  type MigratableDatabase,
  openSiteAccount,
  remoteRunner,
} from "./deploy/target.ts";
import { readDeployedConfig } from "./deployment/config.ts";
import { parseMigration, runMigration } from "./migration.ts";
import { sayFailures } from "./say-failures.ts";
import { listSchemaDifferences } from "./schema-differences.ts";

sayFailures("Run the same command again to continue: what is done is not done twice.");

const USAGE = `npm run migrate -- --remote                  runs the pending migrations in the deployed databases
npm run migrate -- --remote --list           lists them, without changing anything
npm run migrate -- --remote --adopt          marks all migrations as done, in databases that match schema.sql
npm run migrate -- name.sql [--remote]       runs one file, in the databases that it names
npm start                                    brings the local databases up to date`;

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { remote: { type: "boolean" }, list: { type: "boolean" }, adopt: { type: "boolean" } },
});
const [file] = positionals;
const schema = readFileSync(join(ROOT, "schema.sql"), "utf8");
const migrations = readMigrations(join(ROOT, "migrations"));
const databases = await openDatabases();

if (file) {
  const text = readFileSync(file, "utf8");
  const migration = { name: basename(file), text };
  for (const { name, kind, run } of databases) {
    if (migrationsFor(kind, [migration]).length === 0) continue;
    await runMigration(migration.name, parseMigration(text), run, (line) => console.log(`${name}, ${file}, ${line}`));
  }
} else if (!values.remote) throw new Error(USAGE);
else if (values.adopt) {
  for (const database of databases) {
    const differences = await listSchemaDifferences(database.run, database.schema);
    if (differences.length > 0) throw new Error(`${database.name} differs from schema.sql: ${differences.join(", ")}`);
  }
  for (const { name, run, ...database } of databases) {
    await markAllDone(database.migrations, run, Date.now());
    console.log(`${name}: ${database.migrations.length} migrations are marked as done.`);
  }
} else if (values.list) {
  for (const { name, run, ...database } of databases) {
    const pending = await listPending(database.migrations, run);
    const names = pending.map((migration) => migration.name).join(", ");
    console.log(`${name}: ${names || "nothing is pending."}`);
  }
} else {
  for (const { name, run, ...database } of databases) {
    const done = await runPending(database.migrations, run, Date.now(), (line) => console.log(`${name}, ${line}`));
    console.log(`${name}: ${done.length === 0 ? "nothing was pending." : `done: ${done.join(", ")}`}`);
  }
}

async function openDatabases(): Promise<MigratableDatabase[]> {
  const config = readWranglerConfig();
  if (!values.remote)
    return listMigratable(config.d1_databases, { schema, migrations }, ({ name }) => localRunner(name));
  const account = await openSiteAccount();
  const bound = readDeployedConfig().env.production.d1_databases;
  return listMigratable(bound, { schema, migrations }, ({ id }) => remoteRunner({ account, databaseId: id }));
}
