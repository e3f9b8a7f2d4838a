/**
 * The worker as it is deployed: without development code, and with production logs. A second worker consumes its queue
 * and prints each message.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { BRAND_IDS, getBrand } from "@lambda/brands";
import { stringify } from "smol-toml";
import type { WorkerInput } from "./harness.ts";
import { ROOT } from "./site.ts";
import { startSeparateWorker, type TestWorker } from "./worker.ts";
import { readWranglerConfig, type WranglerConfig } from "./wrangler-config.ts";

export interface ProductionWorker {
  /** Its `fetch` replaces local hosts such as `ember.localhost` by the deployed host of the brand. */
  readonly worker: TestWorker;
  /** The worker's log lines since the last call. */
  takeLogs(): string[];
  /** The bodies of the messages queued since the last call. */
  takeQueued(): string[];
  close(): Promise<void>;
}

const QUEUE_PREFIX = "queued: ";
const CONSUMER = `export default { queue(batch) {
  for (const message of batch.messages) console.log(${JSON.stringify(QUEUE_PREFIX)} + JSON.stringify(message.body));
} }`;
const CONSUMER_CONFIG = `name = "consumer"
main = "consumer.js"
compatibility_date = "2026-10-01"
[[queues.consumers]]
queue = "lambda-push"
max_batch_timeout = 1
`;

/**
 * Maps the URL of a local brand, such as `http://ember.localhost/x`, to the deployed one. A bare path belongs to Ember.
 */
function toDeployedUrl(url: string): string {
  return BRAND_IDS.reduce(
    (result, id) => result.replace(`http://${id}.localhost`, `https://${getBrand(id).hosts[0]}`),
    url.replace(/^\//, "http://ember.localhost/"),
  );
}

function withDeployedOrigin(init: RequestInit = {}): RequestInit {
  const headers = new Headers(init.headers);
  const origin = headers.get("origin");
  if (origin !== null) headers.set("origin", toDeployedUrl(origin));
  return { ...init, headers };
}

/** Writes the configurations of both workers into a directory, and returns the workers to start. */
function writeConfigs(directory: string): WorkerInput[] {
  const config = readWranglerConfig();
  const { production } = config.env;
  const adaptConfig = <Part extends Pick<WranglerConfig, "assets" | "queues">>(part: Part): Part => ({
    ...part,
    assets: { ...part.assets, directory: join(ROOT, part.assets.directory) },
    // The second worker consumes the queue.
    queues: { producers: part.queues.producers },
  });
  const adapted = {
    ...adaptConfig(config),
    main: join(ROOT, config.main),
    env: { production: adaptConfig(production) },
  };
  const [mainConfig, consumerConfig] = [join(directory, "worker.toml"), join(directory, "consumer.toml")];
  writeFileSync(mainConfig, stringify(adapted));
  writeFileSync(join(directory, "consumer.js"), CONSUMER);
  writeFileSync(consumerConfig, CONSUMER_CONFIG);
  const { SITE_KEY = "", HOLD_KEY = "", VAPID_PUBLIC_KEY = "", VAPID_PRIVATE_KEY = "" } = config.vars;
  const { VAPID_SUBJECT = "" } = production.vars;
  // Logs every request instead of a sample.
  const vars = { LOG_SHARE: "1", SITE_KEY, HOLD_KEY, VAPID_PUBLIC_KEY, VAPID_PRIVATE_KEY, VAPID_SUBJECT };
  return [{ configPath: mainConfig, env: "production", vars }, { configPath: consumerConfig }];
}

export async function startProductionWorker(): Promise<ProductionWorker> {
  mkdirSync(join(ROOT, ".wrangler"), { recursive: true });
  const directory = mkdtempSync(join(ROOT, ".wrangler", "production-worker-"));
  const started = await startSeparateWorker(writeConfigs(directory));
  // Its brands have opened; those of a new site are closed until their admins open them.
  for (const brand of BRAND_IDS)
    await started.env.DB.prepare("insert into opening_step (brand, step, ts_done) values (?, 'open', 0)")
      .bind(brand)
      .run();
  const worker: TestWorker = {
    ...started,
    fetch: (path, init) => started.fetch(toDeployedUrl(path), withDeployedOrigin(init)),
  };
  const logs: string[] = [];
  const queued: string[] = [];
  const readLogs = () => {
    for (const line of worker.takeLogs()) {
      if (line.startsWith(QUEUE_PREFIX)) queued.push(line.slice(QUEUE_PREFIX.length));
      else logs.push(line);
    }
  };
  return {
    worker,
    takeLogs: () => {
      readLogs();
      return logs.splice(0);
    },
    takeQueued: () => {
      readLogs();
      return queued.splice(0);
    },
    close: async () => {
      await worker.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
