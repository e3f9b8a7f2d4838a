/** `npm run migrate -- file.sql [--remote]`: runs a migration in chunks, through wrangler (docs/OPERATIONS.md, Changing the schema). */
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { parseArgs } from "node:util";
import { wrangler } from "@lambda/testing/site";
import { parseMigration, runMigration } from "./migration.ts";

const { positionals, values } = parseArgs({ allowPositionals: true, options: { remote: { type: "boolean" } } });
const [file] = positionals;
if (!file) throw new Error("which file? npm run migrate -- name.sql [--remote]");

const where = values.remote ? ["--remote", "--env", "production"] : ["--local"];
const steps = parseMigration(readFileSync(file, "utf8"));
await runMigration(
  basename(file),
  steps,
  async (sql, note) => {
    // Statements of one command are one transaction.
    const command = note ? `${sql}\n;\n${note}` : sql;
    const answer = wrangler(["d1", "execute", "lambda", ...where, "--yes", "--json", "--command", command]);
    const [result] = JSON.parse(answer) as { results: Record<string, unknown>[] }[];
    return result?.results ?? [];
  },
  ({ step, rows, ms }) => console.log(`step ${step + 1} of ${steps.length}: ${rows} rows, ${(ms / 1000).toFixed(1)} s`),
);
