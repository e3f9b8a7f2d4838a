import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { withMessageDatabases } from "../message-databases.ts";
import { ROOT } from "../site.ts";
import { startSeparateWorker, type TestWorker } from "../worker.ts";
import type { ReplicaSettings, RequestCounts } from "./replicated-database.ts";

export interface ReplicaWorker {
  readonly worker: TestWorker;
  /**
   * Changes settings; `sync` copies all primaries into their replicas, or one of them by binding. Returns the counts
   * like `takeCounts`.
   */
  configure(change: Partial<ReplicaSettings> & { readonly sync?: boolean | string }): Promise<RequestCounts>;
  /** Returns how many requests were made since the last call. */
  takeCounts(): Promise<RequestCounts>;
  close(): Promise<void>;
}

const replicaConfig = (binding: string, index: number) => `
[[d1_databases]]
binding = "${binding}_REPLICA"
database_name = "lambda-replica-${index}"
database_id = "00000000-0000-0000-0001-${String(index).padStart(12, "0")}"
`;

/** Starts a separate worker each of whose databases has a lagging replica. */
export async function startReplicaWorker(name: string, { messageDatabases = 0 } = {}): Promise<ReplicaWorker> {
  const directory = join(ROOT, ".wrangler", name);
  mkdirSync(directory, { recursive: true });
  const messages = Array.from({ length: messageDatabases }, (_, index) => `MESSAGES_${index + 1}`);
  const replicas = ["DB", ...messages].map(replicaConfig).join("");
  const config = withMessageDatabases(readFileSync(join(ROOT, "wrangler.toml"), "utf8"), messageDatabases)
    .replace(/^main = .*$/m, 'main = "../../packages/testing/src/replica/entry.ts"')
    .replace(/^directory = "/gm, 'directory = "../../')
    .replace(/^\[\[r2_buckets\]\]/m, `${replicas}\n$&`);
  const configPath = join(directory, "worker.toml");
  writeFileSync(configPath, config);
  const worker = await startSeparateWorker([{ configPath }]);
  const configure: ReplicaWorker["configure"] = async (change) => {
    const response = await worker.fetch("/replica", { method: "POST", body: JSON.stringify(change) });
    if (!response.ok) throw new Error(await response.text());
    return (await response.json()) as RequestCounts;
  };
  await configure({ sync: true });
  return {
    worker,
    configure,
    takeCounts: () => configure({}),
    close: async () => {
      await worker.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
