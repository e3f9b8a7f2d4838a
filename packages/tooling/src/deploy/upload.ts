/** The parts of a deployment that wrangler does: bundling and uploading the worker and its assets, and setting its triggers. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gitVariables, ROOT } from "@lambda/testing/site";
import { permissionFor } from "../account/permissions.ts";

export interface Uploader {
  /** Uploads a version that receives no requests yet, and returns its id. */
  upload(message: string, secretsFile?: string): Promise<string>;
  /** Uploads a version that receives all requests at once: the first, or one that changes Durable Object classes. */
  deployAtOnce(secretsFile?: string): Promise<void>;
  /** Sets routes, cron triggers and queues from wrangler.toml. */
  setTriggers(): Promise<void>;
}

export interface UploaderOptions {
  /** The file that writeDeployedConfig returns. */
  readonly config: string;
  /** Both for the wrangler process. */
  readonly env?: NodeJS.ProcessEnv;
  readonly stdio?: "inherit" | "ignore";
}

export function createUploader({ config, env = {}, stdio = "inherit" }: UploaderOptions): Uploader {
  const deployed = ["--config", config];
  const wrangler = (args: readonly string[]) => run(args, env, stdio);
  return {
    async upload(message, secretsFile) {
      const flags = [...deployed, "--message", message, ...gitVariables(), ...secretsFlags(secretsFile)];
      return parseUploadedVersion(await wrangler(["versions", "upload", ...flags]));
    },
    async deployAtOnce(secretsFile) {
      await wrangler(["deploy", ...deployed, ...gitVariables(), ...secretsFlags(secretsFile)]);
    },
    async setTriggers() {
      await wrangler(["triggers", "deploy", ...deployed]);
    },
  };
}

const secretsFlags = (file: string | undefined) => (file ? ["--secrets-file", file] : []);

/** A line of wrangler's output file. */
interface OutputEntry {
  readonly type: string;
  readonly version_id?: string | null;
  /** Of an error: the platform's number and what failed. */
  readonly code?: number;
  readonly message?: string;
}

const parseOutput = (output: string) =>
  output
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as OutputEntry);

export function parseUploadedVersion(output: string): string {
  const uploaded = parseOutput(output).find(({ type, version_id }) => type === "version-upload" && version_id);
  if (!uploaded?.version_id) throw new Error("wrangler did not say which version it uploaded");
  return uploaded.version_id;
}

/** The platform's code for a token that lacks a permission. */
const REFUSED = 10000;

/** What failed, as one sentence, and the permission that the call lacked. */
function failureOf(args: readonly string[], exitCode: number | null, output: string): Error {
  const failed = parseOutput(output).findLast(({ type }) => type === "command-failed");
  const command = args.filter((arg) => !arg.startsWith("-")).slice(0, args[1]?.startsWith("-") ? 1 : 2);
  const why = failed?.message?.replaceAll(/\s+/g, " ").slice(0, 500);
  const path = /\((\/[^)\s]+)\)/.exec(why ?? "")?.[1] ?? "";
  const isRefused = failed?.code === REFUSED || why?.includes(`[code: ${REFUSED}]`);
  const permission = isRefused ? permissionFor(`PUT ${path}`) : undefined;
  const hint = permission ? ` The token lacks ${permission.name} ${permission.level}.` : "";
  return new Error(`wrangler ${command.join(" ")} failed: ${why ?? `it exited with ${exitCode}`}${hint}`);
}

/** Runs wrangler without prompts, and returns its output file. */
async function run(args: readonly string[], env: NodeJS.ProcessEnv, stdio: "inherit" | "ignore"): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "wrangler-"));
  try {
    const file = join(folder, "output.ndjson");
    const child = spawn(`${ROOT}node_modules/.bin/wrangler`, args, {
      cwd: ROOT,
      stdio: ["ignore", stdio, stdio],
      env: {
        ...process.env,
        ...{ CI: "true", WRANGLER_SEND_METRICS: "false", WRANGLER_OUTPUT_FILE_PATH: file },
        ...env,
      },
    });
    const [code] = (await once(child, "exit")) as [number | null];
    const output = existsSync(file) ? readFileSync(file, "utf8") : "";
    if (code !== 0) throw failureOf(args, code, output);
    return output;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
