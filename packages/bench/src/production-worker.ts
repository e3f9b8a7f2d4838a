/**
 * The worker as it is deployed (no development code, its own log lines), with a second worker in the place of the queue's
 * consumer that prints whatever is put into the queue.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "@lambda/testing/site";
import { startSeparateWorker, type TestWorker } from "@lambda/testing/worker";

export interface ProductionWorker {
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

export async function startProductionWorker(): Promise<ProductionWorker> {
  const directory = join(ROOT, ".wrangler", "bench-production");
  mkdirSync(directory, { recursive: true });
  const config = readFileSync(join(ROOT, "wrangler.toml"), "utf8")
    .replace(/\[\[(env\.production\.)?queues\.consumers\]\]\n(?:\w+ = .*\n)+/g, "")
    .replace(/^main = "/m, 'main = "../../')
    .replace(/^directory = "/gm, 'directory = "../../');
  const [main, spy] = [join(directory, "worker.toml"), join(directory, "spy.toml")];
  writeFileSync(main, config);
  writeFileSync(join(directory, "spy.js"), SPY);
  writeFileSync(spy, SPY_CONFIG);
  const { POSITION_KEY, VAPID_PUBLIC_KEY, VAPID_PRIVATE_KEY, VAPID_SUBJECT } = Object.fromEntries(
    [...config.matchAll(/^(\w+) = "(.*)"$/gm)].map(([, name, value]) => [name, value]),
  );
  const vars = { POSITION_KEY, VAPID_PUBLIC_KEY, VAPID_PRIVATE_KEY, VAPID_SUBJECT } as Record<string, string>;
  const worker = await startSeparateWorker([{ configPath: main, env: "production", vars }, { configPath: spy }]);
  let logs: string[] = [];
  let queued: string[] = [];
  const take = () => {
    for (const { message } of worker.harness.getLogs()) {
      if (message.startsWith(MARK)) queued.push(message.slice(MARK.length));
      else logs.push(message);
    }
    worker.harness.clearLogs();
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
      await worker.harness.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
