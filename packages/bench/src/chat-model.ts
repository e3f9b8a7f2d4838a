/** Runs 100,000 random chat operations with faults (see `--requests`), with and without message databases, and kills the server repeatedly. */
import { startWorker } from "@lambda/testing/worker";
import { runChatKill } from "./chat-kill.ts";
import { runChatModel } from "./chat-operations.ts";
import type { BenchOptions } from "./options.ts";

export async function run({ requests = 100_000 }: BenchOptions): Promise<void> {
  const started = performance.now();
  for (const messageDatabases of [0, 3]) {
    const worker = await startWorker({ messageDatabases });
    const result = await runChatModel(worker, {
      operations: requests / 2,
      seed: 1,
      onProgress: (done) => {
        if (done % 10_000 === 0)
          console.log(`${done} operations after ${((performance.now() - started) / 1000).toFixed(0)} s`);
      },
    });
    const seconds = ((performance.now() - started) / 1000).toFixed(0);
    console.log(`model, ${messageDatabases} message databases:`, result, `in ${seconds} s; no difference`);
    await worker.close();
  }
  for (const databases of [0, 2])
    console.log(
      `SIGKILL, ${databases} message databases:`,
      await runChatKill(5, databases),
      "; nothing acknowledged was lost",
    );
}
