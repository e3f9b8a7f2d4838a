import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { withMessageDatabases } from "../message-databases.ts";
import { ROOT } from "../site.ts";
import { startSeparateWorker, type TestWorker } from "../worker.ts";
import type { FarCounts, FarSettings } from "./far-database.ts";

export interface FarWorker {
  readonly worker: TestWorker;
  /**
   * Changes how far the databases are, or copies the primaries into their replicas, or that of one binding; answers what was asked since the
   * last time.
   */
  far(change?: Partial<FarSettings> & { readonly catchUp?: boolean | string }): Promise<FarCounts>;
  close(): Promise<void>;
}

const replicaOf = (binding: string, at: number) => `
[[d1_databases]]
binding = "${binding}_REPLICA"
database_name = "lambda-replica-${at}"
database_id = "00000000-0000-0000-0001-${String(at).padStart(12, "0")}"
`;

/** A worker beside the shared one whose primary databases are far away, with a replica near it of each that lags. */
export async function startFarWorker(name: string, { messageDatabases = 0 } = {}): Promise<FarWorker> {
  const directory = join(ROOT, ".wrangler", name);
  mkdirSync(directory, { recursive: true });
  const messages = Array.from({ length: messageDatabases }, (_, at) => `MESSAGES_${at + 1}`);
  const replicas = ["DB", ...messages].map(replicaOf).join("");
  const config = withMessageDatabases(readFileSync(join(ROOT, "wrangler.toml"), "utf8"), messageDatabases)
    .replace(/^main = .*$/m, 'main = "../../packages/testing/src/far/entry.ts"')
    .replace(/^directory = "/gm, 'directory = "../../')
    .replace(/^\[\[r2_buckets\]\]/m, `${replicas}\n$&`);
  const configPath = join(directory, "worker.toml");
  writeFileSync(configPath, config);
  const worker = await startSeparateWorker([{ configPath }]);
  const far: FarWorker["far"] = async (change = {}) => {
    const answer = await worker.fetch("/far", { method: "POST", body: JSON.stringify(change) });
    if (!answer.ok) throw new Error(await answer.text());
    return (await answer.json()) as FarCounts;
  };
  await far({ catchUp: true });
  return {
    worker,
    far,
    close: async () => {
      await worker.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
