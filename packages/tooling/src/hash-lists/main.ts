import { mkdtempDisposableSync, openSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { localRunner, openTarget, remoteRunner } from "../deploy/target.ts";
import { deployedFlags } from "../deployment/config.ts";
import { runWrangler } from "../deployment/run-wrangler.ts";
import { remindOfRemote } from "../deployment/site-file.ts";
import { sayFailures } from "../say-failures.ts";
import { type ListEntry, readEntries } from "./entries.ts";
import { addStatement, LIST_STATEMENT, ROWS_PER_STATEMENT, removeStatement } from "./statements.ts";

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

async function main(): Promise<void> {
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
}

/** Changes nothing before all lines were validated. */
async function applyFile(
  file: string,
  remote: boolean,
  toStatement: (entries: readonly ListEntry[]) => string,
): Promise<void> {
  using folder = mkdtempDisposableSync(join(tmpdir(), "hash-lists-"));
  const script = join(folder.path, "entries.sql");
  const output = openSync(script, "w", 0o600);
  let count = 0;
  let chunk: ListEntry[] = [];
  const flush = () => {
    if (chunk.length > 0) writeSync(output, `${toStatement(chunk)}\n`);
    chunk = [];
  };
  for await (const entry of readEntries(file)) {
    count += 1;
    if (chunk.push(entry) === ROWS_PER_STATEMENT) flush();
  }
  flush();
  if (count === 0) throw new Error(`${file} has no entries.`);
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

await main();
