/** 100,000 random operations of chat with faults (`--requests` changes that), and the server killed five times. */
import { startWorker } from "@lambda/testing/worker";
import { runChatKill } from "./chat-kill.ts";
import { runChatModel } from "./chat-operations.ts";
import type { BenchOptions } from "./options.ts";

export async function run({ requests = 100_000 }: BenchOptions): Promise<void> {
  const began = performance.now();
  const worker = await startWorker();
  const result = await runChatModel(worker, {
    operations: requests,
    seed: 1,
    onProgress: (done) => {
      if (done % 10_000 === 0)
        console.log(`${done} operations after ${((performance.now() - began) / 1000).toFixed(0)} s`);
    },
  });
  console.log("model:", result, `in ${((performance.now() - began) / 1000).toFixed(0)} s; no difference`);
  console.log("SIGKILL:", await runChatKill(5), "; nothing acknowledged was lost");
  await worker.harness.close();
}
