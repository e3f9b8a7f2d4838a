/** `npm run migrate`: brings a database up to date, or runs one file of statements in chunks (docs/OPERATIONS.md, Changing the schema). */
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import { ROOT } from "@lambda/testing/site";
import { listPending, noteAll, readMigrations, runPending } from "./deploy/numbered-migrations.ts";
import { listSchemaDifferences, localRunner, openTarget, remoteRunner } from "./deploy/target.ts";
import { type ChunkReport, parseMigration, runMigration } from "./migration.ts";

const USAGE = `npm run migrate -- --remote                  runs what the deployed database has not had of migrations/
npm run migrate -- --remote --list           says what that is, and changes nothing
npm run migrate -- --remote --adopt          notes all of migrations/ as done, in a database that is what schema.sql says
npm run migrate -- name.sql [--remote]       runs one file`;

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { remote: { type: "boolean" }, list: { type: "boolean" }, adopt: { type: "boolean" } },
});
const [file] = positionals;
const run = values.remote ? remoteRunner(await openTarget()) : localRunner;
const migrations = readMigrations(join(ROOT, "migrations"));

if (file) {
  await runMigration(basename(file), parseMigration(readFileSync(file, "utf8")), run, (report) => tell(file, report));
} else if (values.adopt) {
  const differences = await listSchemaDifferences(run, readFileSync(join(ROOT, "schema.sql"), "utf8"));
  if (differences.length > 0) throw new Error(`This database is not what schema.sql says: ${differences.join(", ")}`);
  await noteAll(migrations, run, Date.now());
  console.log(`${migrations.length} migrations are noted as done.`);
} else if (values.list) {
  const pending = await listPending(migrations, run);
  console.log(pending.length === 0 ? "Nothing is pending." : pending.map(({ name }) => name).join("\n"));
} else if (values.remote) {
  const done = await runPending(migrations, run, Date.now(), tell);
  console.log(done.length === 0 ? "Nothing was pending." : `Done: ${done.join(", ")}`);
} else throw new Error(USAGE);

function tell(name: string, { step, rows, ms }: ChunkReport): void {
  console.log(`${name}, step ${step + 1}: ${rows} rows, ${(ms / 1000).toFixed(1)} s`);
}
