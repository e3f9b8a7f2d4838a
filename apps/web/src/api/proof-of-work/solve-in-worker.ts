import { askWorker } from "../../device/ask-worker.ts";
import { PROOF_WAIT_MS } from "../../device/with-deadline.ts";
import type { ProofOfWorkTask } from "./solve.ts";

export interface Proof {
  readonly challenge: string;
  readonly answers: number[];
}

/** @param onProgress called with the number of answers found */
export async function solveInWorker(
  task: ProofOfWorkTask,
  options: { signal?: AbortSignal; onProgress?: (solved: number) => void } = {},
): Promise<Proof> {
  const answers = await askWorker<number[]>(
    new Worker(new URL("./worker.ts", import.meta.url), { type: "module" }),
    task,
    {
      waitMs: PROOF_WAIT_MS,
      ...options,
    },
  );
  return { challenge: task.challenge, answers };
}
