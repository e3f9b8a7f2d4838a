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

/** A running site in a process group of its own: the worker with the built web application. */
export interface Site {
  readonly port: number;
  readonly process: ChildProcess;
  /** Returns the end of what the server printed, for error messages. */
  readonly log: () => string;
  stop(): Promise<void>;
}

export interface SiteOptions {
  readonly port: number;
  /** Directory of D1, R2 and Durable Objects; `.wrangler/state` by default. */
  readonly state?: string;
  readonly onExit?: (code: number | null) => void;
}

/** Creates or completes the local databases from schema.sql. Running it again changes nothing. */
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

/** Runs wrangler without blocking this process, which would not notice that its idle connections are closed. */
export async function runWrangler(args: readonly string[]): Promise<void> {
  await promisify(execFile)(`${BIN}/wrangler`, args, {
    cwd: ROOT,
    env: { ...process.env, PATH: `${BIN}:${process.env.PATH}`, WRANGLER_SEND_METRICS: "false", CI: "true" },
  });
}

/** Runs a command against the fake Cloudflare API, which may be part of this process. Returns its output. */
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

/** Starts `wrangler dev`. Resolves when the site responds; rejects with what it printed if it exits before. */
export async function startSite({ port, state, onExit }: SiteOptions): Promise<Site> {
  const command = [
    `${ROOT}node_modules/wrangler/bin/wrangler.js`,
    "dev",
    ...["--port", String(port), "--inspector-port", String(await freePort())],
    ...["--show-interactive-dev-session", "false", "--log-level", "warn", ...gitVariables(), ...persist(state)],
    ...["--var", `DEVELOPMENT_PORT:${port}`],
  ];
  return spawnSite(port, command, onExit);
}

/** Starts the same worker with less overhead than `wrangler dev`, as most tests run it. */
export function startTestSite({ port, state }: { readonly port: number; readonly state: string }): Promise<Site> {
  return spawnSite(port, [`${ROOT}packages/testing/src/serve-worker.ts`, String(port), state]);
}

/** Starts a server in a process group of its own. Resolves and rejects like startSite. */
export async function spawnSite(
  port: number,
  command: readonly string[],
  onExit?: SiteOptions["onExit"],
  env: NodeJS.ProcessEnv = {},
): Promise<Site> {
  const child = spawn(`${BIN}/node`, [`${ROOT}packages/testing/src/site-guard.mjs`, ...command], {
    cwd: ROOT,
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    detached: process.platform !== "win32",
    env: {
      // Traces of requests and statements would take a third of a call's time and fill the disk.
      X_LOCAL_OBSERVABILITY: "false",
      ...process.env,
      PATH: `${BIN}:${process.env.PATH}`,
      WRANGLER_SEND_METRICS: "false",
      ...env,
    },
  });
  // The guard only watches whether this process lives; the channel must not keep it alive.
  child.channel?.unref();
  let log = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("data", (chunk: Buffer) => {
      log = (log + chunk.toString()).slice(-20_000);
    });
  }
  let hasExited = false;
  const exit = new Promise<void>((resolve) => {
    child.once("exit", (code) => {
      hasExited = true;
      onExit?.(code);
      resolve();
    });
  });
  const stop = async () => {
    if (!hasExited && child.pid !== undefined)
      process.kill(process.platform === "win32" ? child.pid : -child.pid, "SIGTERM");
    await exit;
  };
  const deadline = Date.now() + 90_000;
  // If it has exited, another process is responding on this port.
  while (hasExited || !(await isResponding(port))) {
    if (hasExited || Date.now() > deadline) {
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

/** Whether the port is free on every address, because some systems let two servers share a port on different addresses. */
export async function isPortFree(port: number): Promise<boolean> {
  for (const host of [undefined, "127.0.0.1", "::1"]) {
    const isTaken = await new Promise<boolean>((resolve, reject) => {
      const server = createServer();
      // Other errors, as on a system without IPv6, are not about the port.
      server.once("error", (error: NodeJS.ErrnoException) => resolve(error.code === "EADDRINUSE"));
      server.listen(port, host, () => server.close((error) => (error ? reject(error) : resolve(false))));
    });
    if (isTaken) return false;
  }
  return true;
}

async function isResponding(port: number): Promise<boolean> {
  try {
    return (await fetch(`http://localhost:${port}/api/ping`)).ok;
  } catch {
    return false;
  }
}

function persist(state: string | undefined): string[] {
  return state === undefined ? [] : ["--persist-to", state];
}

/** Variables with the current commit, for /api/version. */
export function gitVariables(): string[] {
  const show = (format: string) =>
    execFileSync("git", ["log", "-1", `--format=${format}`], { cwd: ROOT, encoding: "utf8" }).trim();
  try {
    return ["--var", `GIT_COMMIT_HASH:${show("%H")}`, "--var", `GIT_COMMIT_TS:${show("%cI")}`];
  } catch {
    return [];
  }
}
