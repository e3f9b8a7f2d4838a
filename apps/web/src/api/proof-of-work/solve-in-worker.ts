import type { ProofOfWorkTask } from "./solve.ts";

export interface Proof {
  readonly challenge: string;
  readonly answers: number[];
}

type WorkerMessage = { readonly solved: number } | { readonly answers: number[] };

/** @param workerRef receives the worker, to be terminated by who no longer waits */
export function solveInWorker(
  task: ProofOfWorkTask,
  workerRef: { current: Worker | undefined } = { current: undefined },
  onProgress: (solved: number) => void = () => undefined,
): Promise<Proof> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
    workerRef.current = worker;
    worker.onmessage = ({ data }: MessageEvent<WorkerMessage>) => {
      if ("solved" in data) return onProgress(data.solved);
      worker.terminate();
      resolve({ challenge: task.challenge, answers: data.answers });
    };
    worker.onerror = () => reject(new Error("the proof-of-work worker failed"));
    worker.postMessage(task);
  });
}
