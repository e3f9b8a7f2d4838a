/** Wrangler inside our commands: what it prints goes to a file, and a failure becomes a sentence. It asks nothing. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, type WriteStream } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ROOT } from "@lambda/testing/site";
import { permissionFor } from "../account/permissions.ts";
import { isVerbose } from "../say-failures.ts";
import { DEPLOYMENT } from "./site-file.ts";

/** Of the last run. */
const LOG = `${DEPLOYMENT}/wrangler.log`;

/** A line of wrangler's output file. */
export interface OutputEntry {
  readonly type: string;
  readonly version_id?: string | null;
  /** Of an error: the platform's number and what failed. */
  readonly code?: number;
  readonly message?: string;
}

/** Does not block this process, which would not notice that its idle connections are closed. */
export async function runWrangler(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  mkdirSync(join(ROOT, DEPLOYMENT), { recursive: true, mode: 0o700 });
  const folder = mkdtempSync(join(tmpdir(), "wrangler-"));
  const log = openLog(join(ROOT, LOG));
  try {
    const file = join(folder, "output.ndjson");
    const bin = `${ROOT}node_modules/.bin`;
    const child = spawn(`${bin}/wrangler`, args, {
      cwd: ROOT,
      stdio: ["ignore", "pipe", "pipe"],
      env: {
        ...{ ...process.env, PATH: `${bin}:${process.env.PATH}`, CI: "true" },
        ...{ WRANGLER_SEND_METRICS: "false", WRANGLER_OUTPUT_FILE_PATH: file },
        ...env,
      },
    });
    let stdout = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk: Buffer | string) => log.write(chunk));
      if (isVerbose()) stream.pipe(process.stderr, { end: false });
    }
    const [code] = (await once(child, "close")) as [number | null];
    const lines = existsSync(file) ? readFileSync(file, "utf8").split("\n").filter(Boolean) : [];
    const entries = lines.map((line) => JSON.parse(line) as OutputEntry);
    if (code !== 0) throw failureOf(args, code, entries);
    return { stdout, entries };
  } finally {
    log.end();
    rmSync(folder, { recursive: true });
  }
}

/** On a full disk it stays empty: what runs must not end because nobody can read about it. */
export function openLog(file: string): WriteStream {
  return createWriteStream(file, { mode: 0o600 }).on("error", () => undefined);
}

/** The platform's code for a token that lacks a permission. */
const REFUSED = 10000;

function failureOf(args: readonly string[], exitCode: number | null, entries: readonly OutputEntry[]): Error {
  const failed = entries.findLast(({ type }) => type === "command-failed");
  const flags = args.findIndex((arg) => arg.startsWith("-"));
  const command = args.slice(0, flags === -1 ? args.length : flags).join(" ");
  const why = (failed?.message?.replaceAll(/\s+/g, " ").trim() ?? `it exited with ${exitCode}`).slice(0, 500);
  const path = /\((\/[^)\s]+)\)/.exec(why)?.[1] ?? "";
  const isRefused = failed?.code === REFUSED || why.includes(`[code: ${REFUSED}]`);
  const permission = isRefused ? permissionFor(`PUT ${path}`) : undefined;
  const hint = permission ? ` The token lacks ${permission.name} ${permission.level}.` : "";
  return new Error(`wrangler ${command} failed: ${why.replace(/[.:]?$/, ".")}${hint} All it printed: ${LOG}`);
}
