import { type ChildProcess, execFile, execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { listMessageDatabases, messageSchema } from "./message-databases.ts";
import { readWranglerConfig } from "./wrangler-config.ts";

export const ROOT = fileURLToPath(import.meta.resolve("../../../"));
const BIN = `${ROOT}node_modules/.bin`;

/** A running site: the real worker with the built web application, as `npm start` serves it. */
export interface Site {
  readonly port: number;
  readonly process: ChildProcess;
  /** What the server printed, for the report of a failure. */
  readonly log: () => string;
  stop(): Promise<void>;
}

export interface SiteOptions {
  readonly port: number;
  /** Where D1, R2 and objects live; `.wrangler/state` when left out. */
  readonly state?: string;
  readonly onExit?: (code: number | null) => void;
}

/** Creates or completes the local databases from schema.sql; running it again changes nothing. */
export function createDatabase(state?: string): void {
  const execute = (name: string, file: string) =>
    wrangler(["d1", "execute", name, "--local", "--yes", "--file", file, ...persist(state)]);
  execute("lambda", "schema.sql");
  const folder = mkdtempSync(join(tmpdir(), "message-schema-"));
  try {
    const file = join(folder, "schema.sql");
    writeFileSync(file, messageSchema(readFileSync(`${ROOT}schema.sql`, "utf8")));
    for (const { name } of listMessageDatabases(readWranglerConfig(ROOT).d1_databases)) execute(name, file);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export function wrangler(args: readonly string[]): string {
  return execFileSync(`${BIN}/wrangler`, args, {
    cwd: ROOT,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, PATH: `${BIN}:${process.env.PATH}`, WRANGLER_SEND_METRICS: "false", CI: "true" },
  });
}

/** The same without holding up this process, whose idle connections would otherwise be closed unnoticed. */
export async function wranglerAside(args: readonly string[]): Promise<void> {
  await promisify(execFile)(`${BIN}/wrangler`, args, {
    cwd: ROOT,
    env: { ...process.env, PATH: `${BIN}:${process.env.PATH}`, WRANGLER_SEND_METRICS: "false", CI: "true" },
  });
}

/** Runs a command of the project or of wrangler against a stand-in of the account, which this process may be. Answers what it printed. */
export async function runAgainst(
  { base, account }: { readonly base: string; readonly account: string },
  token: string,
  [command, ...args]: readonly [string, ...string[]],
  cwd: string = ROOT,
): Promise<string> {
  const env = {
    ...{ ...process.env, PATH: `${BIN}:${process.env.PATH}`, WRANGLER_SEND_METRICS: "false", CI: "true" },
    ...{ CLOUDFLARE_API_BASE_URL: base, CLOUDFLARE_API_TOKEN: token, CLOUDFLARE_ACCOUNT_ID: account },
  };
  const { stdout } = await promisify(execFile)(`${BIN}/${command}`, args, { cwd, env, maxBuffer: 64 * 2 ** 20 });
  return stdout;
}

/** Starts `wrangler dev` and resolves when it answers. Rejects with what it printed if it ends before. */
export async function startSite({ port, state, onExit }: SiteOptions): Promise<Site> {
  const child = spawn(
    `${BIN}/node`,
    [
      `${ROOT}packages/testing/src/site-guard.mjs`,
      `${ROOT}node_modules/wrangler/bin/wrangler.js`,
      ...["dev", "--port", String(port), "--inspector-port", String(await freePort())],
      ...["--show-interactive-dev-session", "false", "--log-level", "warn", ...gitVariables(), ...persist(state)],
      ...["--var", `DEVELOPMENT_PORT:${port}`],
    ],
    {
      cwd: ROOT,
      stdio: ["ignore", "pipe", "pipe", "ipc"],
      detached: process.platform !== "win32",
      // Traces of each request and statement would cost a third of a call, and be kept on the disk.
      env: {
        ...{ X_LOCAL_OBSERVABILITY: "false", ...process.env },
        ...{ PATH: `${BIN}:${process.env.PATH}`, WRANGLER_SEND_METRICS: "false" },
      },
    },
  );
  // The guard only watches that this process lives; the channel must not keep it alive.
  child.channel?.unref();
  let log = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("data", (chunk: Buffer) => {
      log = (log + chunk.toString()).slice(-20_000);
    });
  }
  let ended = false;
  const exit = new Promise<void>((resolve) => {
    child.once("exit", (code) => {
      ended = true;
      onExit?.(code);
      resolve();
    });
  });
  const stop = async () => {
    if (!ended && child.pid !== undefined)
      process.kill(process.platform === "win32" ? child.pid : -child.pid, "SIGTERM");
    await exit;
  };
  const deadline = Date.now() + 90_000;
  // Once it has ended, whoever answers is another.
  while (ended || !(await answers(port))) {
    if (ended || Date.now() > deadline) {
      await stop();
      throw new Error(`the site did not start:\n${log}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return { port, process: child, log: () => log, stop };
}

export async function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() =>
        typeof address === "object" && address ? resolve(address.port) : reject(new Error("no port")),
      );
    });
  });
}

/** Whether nobody listens on this port of the machine. Every address counts: a system may let two servers differ in that alone. */
export async function isPortFree(port: number): Promise<boolean> {
  for (const host of [undefined, "127.0.0.1", "::1"]) {
    const taken = await new Promise<boolean>((resolve, reject) => {
      const server = createServer();
      // Other faults, as of a system without IPv6, say nothing about the port.
      server.once("error", (error: NodeJS.ErrnoException) => resolve(error.code === "EADDRINUSE"));
      server.listen(port, host, () => server.close((error) => (error ? reject(error) : resolve(false))));
    });
    if (taken) return false;
  }
  return true;
}

async function answers(port: number): Promise<boolean> {
  try {
    return (await fetch(`http://localhost:${port}/api/ping`)).ok;
  } catch {
    return false;
  }
}

function persist(state: string | undefined): string[] {
  return state === undefined ? [] : ["--persist-to", state];
}

/** The commit that runs, for /api/version. */
export function gitVariables(): string[] {
  const show = (format: string) =>
    execFileSync("git", ["log", "-1", `--format=${format}`], { cwd: ROOT, encoding: "utf8" }).trim();
  try {
    return ["--var", `GIT_COMMIT_HASH:${show("%H")}`, "--var", `GIT_COMMIT_TS:${show("%cI")}`];
  } catch {
    return [];
  }
}
