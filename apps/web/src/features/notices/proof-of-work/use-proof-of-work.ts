import { useCallback, useEffect, useRef, useState } from "react";
import { trpc } from "../../../api/trpc.ts";
import type { ProofOfWorkTask } from "./solve.ts";

export interface Proof {
  readonly challenge: string;
  readonly answers: number[];
}

type WorkerMessage = { readonly solved: number } | { readonly answers: number[] };

/**
 * The proof of work that each notice needs against spam. It starts with the first input and is usually done before the
 * form is sent.
 */
export function useProofOfWork() {
  const { mutateAsync: requestChallenge } = trpc.notices.challenge.useMutation();
  const [progress, setProgress] = useState(0);
  const pendingProof = useRef<Promise<Proof>>(undefined);
  const worker = useRef<Worker>(undefined);
  useEffect(() => () => worker.current?.terminate(), []);

  const start = useCallback(
    (harder = 0): Promise<Proof> => {
      pendingProof.current ??= requestChallenge({ harder })
        .then((task) => solveInWorker(task, worker, (solved) => setProgress(solved / task.answers)))
        .catch((error: unknown) => {
          pendingProof.current = undefined;
          throw error;
        });
      return pendingProof.current;
    },
    [requestChallenge],
  );

  /** Each proof can be used once. A harder one than usual is not the one that is already under way. */
  const take = useCallback(
    async (harder: number): Promise<Proof> => {
      if (harder > 0) pendingProof.current = undefined;
      const proof = await start(harder);
      pendingProof.current = undefined;
      setProgress(0);
      return proof;
    },
    [start],
  );

  return { start: () => void start().catch(() => undefined), take, progress };
}

function solveInWorker(
  task: ProofOfWorkTask,
  workerRef: { current: Worker | undefined },
  onProgress: (solved: number) => void,
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
