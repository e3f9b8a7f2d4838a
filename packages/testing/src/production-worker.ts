/**
 * The worker as it is deployed (no development code, its own log lines), with a second worker in the place of the queue's
 * consumer that prints whatever is put into the queue.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { BRAND_IDS, getBrand } from "@lambda/brands";
import { stringify } from "smol-toml";
import { ROOT } from "./site.ts";
import { startSeparateWorker, type TestWorker } from "./worker.ts";
import { readWranglerConfig, type WranglerConfig } from "./wrangler-config.ts";

export interface ProductionWorker {
  /** Its calls go to the deployed address of the brand that a test member asks. */
  readonly worker: TestWorker;
  /** What the worker printed since the last call. */
  takeLogs(): string[];
  /** Bodies of the messages that were put into the queue since the last call. */
  takeQueued(): string[];
  close(): Promise<void>;
}

const MARK = "queued: ";
const SPY = `export default { queue(batch) {
  for (const message of batch.messages) console.log(${JSON.stringify(MARK)} + JSON.stringify(message.body));
} }`;
const SPY_CONFIG = `name = "spy"
main = "spy.js"
compatibility_date = "2026-10-01"
[[queues.consumers]]
queue = "lambda-push"
max_batch_timeout = 1
`;

/** `http://ember.localhost/x`, by which test members ask, as the deployed site's address. */
function deployed(address: string): string {
  return BRAND_IDS.reduce(
    (so, id) => so.replace(`http://${id}.localhost`, `https://${getBrand(id).hosts[0]}`),
    address.replace(/^\//, "http://ember.localhost/"),
  );
}

function withOrigin(init: RequestInit = {}): RequestInit {
  const headers = new Headers(init.headers);
  const origin = headers.get("origin");
  if (origin !== null) headers.set("origin", deployed(origin));
  return { ...init, headers };
}

export async function startProductionWorker(): Promise<ProductionWorker> {
  mkdirSync(join(ROOT, ".wrangler"), { recursive: true });
  const directory = mkdtempSync(join(ROOT, ".wrangler", "production-worker-"));
  const config = readWranglerConfig();
  const { production } = config.env;
  const place = <Part extends Pick<WranglerConfig, "assets" | "queues">>(part: Part): Part => ({
    ...part,
    assets: { ...part.assets, directory: join(ROOT, part.assets.directory) },
    // The spy takes what is queued.
    queues: { producers: part.queues.producers },
  });
  const placed = { ...place(config), main: join(ROOT, config.main), env: { production: place(production) } };
  const [main, spy] = [join(directory, "worker.toml"), join(directory, "spy.toml")];
  writeFileSync(main, stringify(placed));
  writeFileSync(join(directory, "spy.js"), SPY);
  writeFileSync(spy, SPY_CONFIG);
  const {
    POSITION_KEY = "",
    HOLD_KEY = "",
    VAPID_PUBLIC_KEY = "",
    VAPID_PRIVATE_KEY = "",
    VAPID_SUBJECT = "",
  } = {
    ...config.vars,
    VAPID_SUBJECT: production.vars.VAPID_SUBJECT ?? "",
  };
  // Each call has its line here.
  const vars = { LOG_SHARE: "1", POSITION_KEY, HOLD_KEY, VAPID_PUBLIC_KEY, VAPID_PRIVATE_KEY, VAPID_SUBJECT };
  const started = await startSeparateWorker([{ configPath: main, env: "production", vars }, { configPath: spy }]);
  const worker: TestWorker = { ...started, fetch: (path, init) => started.fetch(deployed(path), withOrigin(init)) };
  let logs: string[] = [];
  let queued: string[] = [];
  const take = () => {
    for (const line of worker.takeLogs()) {
      if (line.startsWith(MARK)) queued.push(line.slice(MARK.length));
      else logs.push(line);
    }
  };
  return {
    worker,
    takeLogs: () => {
      take();
      const taken = logs;
      logs = [];
      return taken;
    },
    takeQueued: () => {
      take();
      const taken = queued;
      queued = [];
      return taken;
    },
    close: async () => {
      await worker.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
