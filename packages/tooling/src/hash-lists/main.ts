import { mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openTarget, remoteRunner } from "../deploy/target.ts";
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

interface Target {
  readonly remote: boolean;
  /** wrangler's persist folder, if not the project's. */
  readonly state?: string | undefined;
}

sayFailures();

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { remote: { type: "boolean", default: false }, state: { type: "string" } },
  });
  const [verb, file] = positionals;
  if (verb === "list") await list(values);
  else if (verb === "add" && file) await applyFile(file, values, (entries) => addStatement(entries, Date.now()));
  else if (verb === "remove" && file) await applyFile(file, values, removeStatement);
  else throw new Error(USAGE);
  remindOfRemote(values.remote);
}

/** Changes nothing before all lines were validated. */
async function applyFile(
  file: string,
  target: Target,
  toStatement: (entries: readonly ListEntry[]) => string,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "hash-lists-"));
  try {
    const script = join(folder, "entries.sql");
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
    await runWrangler([...executeArgs(target), "--file", script]);
    console.log(`${file}: ${count.toLocaleString("en")} entries`);
  } finally {
    rmSync(folder, { recursive: true });
  }
  await list(target);
}

async function list(target: Target): Promise<void> {
  const rows = (target.remote
    ? await remoteRunner(await openTarget())(LIST_STATEMENT)
    : await listLocally(target)) as unknown as { source: string; rule: string; entries: number; waiting: number }[];
  if (rows.length === 0) console.log("There are no lists: uploads are only compared with removed pictures.");
  for (const { source, rule, entries, waiting } of rows) {
    const pending = waiting > 0 ? `, ${waiting.toLocaleString("en")} not yet compared with stored pictures` : "";
    console.log(`${source} (${rule}): ${entries.toLocaleString("en")} entries${pending}`);
  }
}

async function listLocally(target: Target): Promise<unknown[]> {
  const { stdout } = await runWrangler([...executeArgs(target), "--json", "--command", LIST_STATEMENT]);
  const [result] = JSON.parse(stdout) as { results: unknown[] }[];
  return result?.results ?? [];
}

function executeArgs({ remote, state }: Target): string[] {
  const where = remote ? ["--remote", ...deployedFlags()] : ["--local", ...(state ? ["--persist-to", state] : [])];
  return ["d1", "execute", "lambda", ...where, "--yes"];
}

await main();
