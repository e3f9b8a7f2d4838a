import { appendFileSync, mkdtempDisposableSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { localRunner, openTarget, remoteRunner } from "../deploy/target.ts";
import { deployedFlags } from "../deployment/config.ts";
import { runWrangler } from "../deployment/run-wrangler.ts";
import { remindOfRemote } from "../deployment/site-file.ts";
import { sayFailures } from "../say-failures.ts";
import {
  addStatement,
  LIST_STATEMENT,
  type ListEntry,
  ROWS_PER_STATEMENT,
  readEntries,
  removeStatement,
} from "./entries.ts";

/**
 * `npm run hash-lists -- add FILE | remove FILE | list`: manages the pictures that uploads are compared with, in the development database
 * or with --remote in the deployed one (docs/OPERATIONS.md, Lists of known pictures).
 */

const USAGE = `npm run hash-lists -- add FILE [--remote]
npm run hash-lists -- remove FILE [--remote]
npm run hash-lists -- list [--remote]

FILE has a line for each picture: its PDQ hash in 64 hexadecimal digits, the name of the list, and if it is not "minor" the rule "intimate".`;

interface ListedSource {
  readonly source: string;
  readonly rule: string;
  readonly entries: number;
  readonly waiting: number;
}

sayFailures();

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { remote: { type: "boolean", default: false } },
});
const [verb, file] = positionals;
if (verb === "list") await list(values.remote);
else if (verb === "add" && file) await applyFile(file, values.remote, (entries) => addStatement(entries, Date.now()));
else if (verb === "remove" && file) await applyFile(file, values.remote, removeStatement);
else throw new Error(USAGE);
remindOfRemote(values.remote);

/** Changes nothing before all lines were validated. */
async function applyFile(
  file: string,
  remote: boolean,
  toStatement: (entries: readonly ListEntry[]) => string,
): Promise<void> {
  using folder = mkdtempDisposableSync(join(tmpdir(), "hash-lists-"));
  const script = join(folder.path, "entries.sql");
  const entries: ListEntry[] = [];
  for await (const entry of readEntries(file)) entries.push(entry);
  const count = entries.length;
  if (count === 0) throw new Error(`${file} has no entries.`);
  for (let at = 0; at < count; at += ROWS_PER_STATEMENT)
    appendFileSync(script, `${toStatement(entries.slice(at, at + ROWS_PER_STATEMENT))}\n`, { mode: 0o600 });
  const where = remote ? ["--remote", ...deployedFlags()] : ["--local"];
  await runWrangler(["d1", "execute", "lambda", ...where, "--yes", "--file", script]);
  console.log(`${file}: ${count.toLocaleString("en")} entries`);
  await list(remote);
}

async function list(remote: boolean): Promise<void> {
  const run = remote ? remoteRunner(await openTarget()) : localRunner("lambda");
  const rows = (await run(LIST_STATEMENT)) as unknown as ListedSource[];
  if (rows.length === 0) console.log("There are no lists: uploads are only compared with removed pictures.");
  for (const { source, rule, entries, waiting } of rows) {
    const pending = waiting > 0 ? `, ${waiting.toLocaleString("en")} not yet compared with stored pictures` : "";
    console.log(`${source} (${rule}): ${entries.toLocaleString("en")} entries${pending}`);
  }
}
