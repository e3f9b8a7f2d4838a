/** The parts of a deployment that wrangler does: bundling and uploading the worker and its assets, and setting its triggers. */
import { gitVariables } from "@lambda/testing/site";
import { type OutputEntry, runWrangler } from "../deployment/run-wrangler.ts";

export interface Uploader {
  /** Uploads a version that receives no requests yet, and returns its id. */
  upload(message: string, secretsFile?: string): Promise<string>;
  /** Uploads a version that receives all requests at once: the first, or one that changes Durable Object classes. */
  deployAtOnce(secretsFile?: string): Promise<void>;
  /** Sets routes, cron triggers and queues from wrangler.toml. */
  setTriggers(): Promise<void>;
}

/** @param config the file that writeDeployedConfig returns */
export function createUploader(config: string, env: NodeJS.ProcessEnv = {}): Uploader {
  const deployed = ["--config", config];
  const wrangler = (args: readonly string[]) => runWrangler(args, env);
  return {
    async upload(message, secretsFile) {
      const flags = [...deployed, "--message", message, ...gitVariables(), ...secretsFlags(secretsFile)];
      return uploadedVersion((await wrangler(["versions", "upload", ...flags])).entries);
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

export function uploadedVersion(entries: readonly OutputEntry[]): string {
  const uploaded = entries.find(({ type, version_id }) => type === "version-upload" && version_id);
  if (!uploaded?.version_id) throw new Error("wrangler did not say which version it uploaded");
  return uploaded.version_id;
}
