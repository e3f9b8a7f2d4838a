/** The parts of a deployment that wrangler does: bundling and uploading the worker and its assets, and setting its triggers. */
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gitVariables, ROOT } from "@lambda/testing/site";

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
  const wrangler = (args: readonly string[], extraEnv: NodeJS.ProcessEnv = {}) =>
    run(args, { ...env, ...extraEnv }, stdio);
  return {
    async upload(message, secretsFile) {
      const folder = mkdtempSync(join(tmpdir(), "upload-"));
      try {
        const output = join(folder, "output.ndjson");
        await wrangler(
          ["versions", "upload", ...deployed, "--message", message, ...gitVariables(), ...secretsFlags(secretsFile)],
          { WRANGLER_OUTPUT_FILE_PATH: output },
        );
        return parseUploadedVersion(readFileSync(output, "utf8"));
      } finally {
        rmSync(folder, { recursive: true });
      }
    },
    deployAtOnce: (secretsFile) => wrangler(["deploy", ...deployed, ...gitVariables(), ...secretsFlags(secretsFile)]),
    setTriggers: () => wrangler(["triggers", "deploy", ...deployed]),
  };
}

const secretsFlags = (file: string | undefined) => (file ? ["--secrets-file", file] : []);

/** Reads the uploaded version from wrangler's output file of JSON lines. */
export function parseUploadedVersion(output: string): string {
  for (const line of output.split("\n").filter(Boolean)) {
    const entry = JSON.parse(line) as { type: string; version_id?: string | null };
    if (entry.type === "version-upload" && entry.version_id) return entry.version_id;
  }
  throw new Error("wrangler did not say which version it uploaded");
}

/** Runs wrangler without prompts. */
function run(args: readonly string[], env: NodeJS.ProcessEnv, stdio: "inherit" | "ignore"): Promise<void> {
  const child = spawn(`${ROOT}node_modules/.bin/wrangler`, args, {
    cwd: ROOT,
    stdio: ["ignore", stdio, stdio],
    env: { ...process.env, CI: "true", WRANGLER_SEND_METRICS: "false", ...env },
  });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) =>
      code === 0 ? resolve() : reject(new Error(`wrangler ${args[0]} ${args[1]} exited with ${code}`)),
    );
  });
}
