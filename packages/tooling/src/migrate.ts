/** `npm run migrate`: brings a database up to date, or runs one file of statements in chunks (docs/OPERATIONS.md, Changing the schema). */
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import { ROOT } from "@lambda/testing/site";
import { readWranglerConfig } from "@lambda/testing/wrangler-config";
import { listPending, migrationsFor, noteAll, readMigrations, runPending } from "./deploy/numbered-migrations.ts";
import {
  listMigratable,
  listSchemaDifferences,
  localRunner,
  type Migratable,
  openTarget,
  remoteRunner,
} from "./deploy/target.ts";
import { type ChunkReport, parseMigration, runMigration } from "./migration.ts";

const USAGE = `npm run migrate -- --remote                  runs what the deployed databases have not had of migrations/
npm run migrate -- --remote --list           says what that is, and changes nothing
npm run migrate -- --remote --adopt          notes all of migrations/ as done, in a database that is what schema.sql says
npm run migrate -- name.sql [--remote]       runs one file, in the databases that it names`;

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { remote: { type: "boolean" }, list: { type: "boolean" }, adopt: { type: "boolean" } },
});
const [file] = positionals;
const schema = readFileSync(join(ROOT, "schema.sql"), "utf8");
const migrations = readMigrations(join(ROOT, "migrations"));
const databases = await open();

if (file) {
  const text = readFileSync(file, "utf8");
  const asked = { name: basename(file), text };
  for (const { name, kind, run } of databases) {
    if (migrationsFor(kind, [asked]).length === 0) continue;
    await runMigration(asked.name, parseMigration(text), run, (report) => tell(`${name}, ${file}`, report));
  }
} else if (values.adopt) {
  for (const database of databases) {
    const differences = await listSchemaDifferences(database.run, database.schema);
    if (differences.length > 0)
      throw new Error(`${database.name} is not what schema.sql says: ${differences.join(", ")}`);
  }
  for (const { name, run, ...database } of databases) {
    await noteAll(database.migrations, run, Date.now());
    console.log(`${name}: ${database.migrations.length} migrations are noted as done.`);
  }
} else if (values.list) {
  for (const { name, run, ...database } of databases) {
    const pending = await listPending(database.migrations, run);
    const names = pending.map((migration) => migration.name).join(", ");
    console.log(`${name}: ${names || "nothing is pending."}`);
  }
} else if (values.remote) {
  for (const { name, run, ...database } of databases) {
    const done = await runPending(database.migrations, run, Date.now(), (step, report) =>
      tell(`${name}, ${step}`, report),
    );
    console.log(`${name}: ${done.length === 0 ? "nothing was pending." : `done: ${done.join(", ")}`}`);
  }
} else throw new Error(USAGE);

async function open(): Promise<Migratable[]> {
  const config = readWranglerConfig();
  if (!values.remote)
    return listMigratable(config.d1_databases, { schema, migrations }, ({ name }) => localRunner(name));
  const { account } = await openTarget();
  const bound = config.env.production.d1_databases;
  return listMigratable(bound, { schema, migrations }, ({ id }) => remoteRunner({ account, databaseId: id }));
}

function tell(name: string, { step, rows, ms }: ChunkReport): void {
  console.log(`${name}, step ${step + 1}: ${rows} rows, ${(ms / 1000).toFixed(1)} s`);
}
