/** What wrangler does of a deployment: it bundles and uploads the worker and its files, and sets what triggers it. */
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gitVariables, ROOT } from "@lambda/testing/site";

export interface Uploader {
  /** Uploads a version that nobody reaches yet, and answers its id. */
  upload(message: string): Promise<string>;
  /** Uploads a version and gives it all requests at once: the first, or one that changes the objects' classes. */
  replace(secretsFile?: string): Promise<void>;
  /** Addresses, clock and queues, as wrangler.toml has them. */
  setTriggers(): Promise<void>;
}

const PRODUCTION = ["--env", "production"];

/** `env`: as wrangler reads it; `stdio`: where it prints. */
export function createUploader(env: NodeJS.ProcessEnv = {}, stdio: "inherit" | "ignore" = "inherit"): Uploader {
  const wrangle = (args: readonly string[], more: NodeJS.ProcessEnv = {}) => run(args, { ...env, ...more }, stdio);
  return {
    async upload(message) {
      const folder = mkdtempSync(join(tmpdir(), "upload-"));
      try {
        const output = join(folder, "output.ndjson");
        await wrangle(["versions", "upload", ...PRODUCTION, "--message", message, ...gitVariables()], {
          WRANGLER_OUTPUT_FILE_PATH: output,
        });
        return versionOf(readFileSync(output, "utf8"));
      } finally {
        rmSync(folder, { recursive: true });
      }
    },
    replace: (secretsFile) =>
      wrangle(["deploy", ...PRODUCTION, ...gitVariables(), ...(secretsFile ? ["--secrets-file", secretsFile] : [])]),
    setTriggers: () => wrangle(["triggers", "deploy", ...PRODUCTION]),
  };
}

/** The version that wrangler says it uploaded, in its file of JSON lines. */
export function versionOf(output: string): string {
  for (const line of output.split("\n").filter(Boolean)) {
    const entry = JSON.parse(line) as { type: string; version_id?: string | null };
    if (entry.type === "version-upload" && entry.version_id) return entry.version_id;
  }
  throw new Error("wrangler did not say which version it uploaded");
}

/** Nothing is asked. */
function run(args: readonly string[], env: NodeJS.ProcessEnv, stdio: "inherit" | "ignore"): Promise<void> {
  const child = spawn(`${ROOT}node_modules/.bin/wrangler`, args, {
    cwd: ROOT,
    stdio: ["ignore", stdio, stdio],
    env: { ...process.env, CI: "true", WRANGLER_SEND_METRICS: "false", ...env },
  });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) =>
      code === 0 ? resolve() : reject(new Error(`wrangler ${args[0]} ${args[1]} ended with ${code}`)),
    );
  });
}
