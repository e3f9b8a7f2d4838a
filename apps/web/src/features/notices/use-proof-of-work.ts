import { useCallback, useRef, useState } from "react";
import { type Proof, solveInWorker } from "../../api/proof-of-work/solve-in-worker.ts";
import { trpc } from "../../api/trpc.ts";
import { useAbortSignal } from "../../components/use-abort-signal.ts";

/** The proof of work that each notice needs against spam. It starts with the first input and is usually done before the form is sent. */
export function useProofOfWork() {
  const { mutateAsync: requestChallenge } = trpc.notices.challenge.useMutation();
  const [progress, setProgress] = useState(0);
  const pendingProof = useRef<Promise<Proof>>(undefined);
  const { begin } = useAbortSignal();

  const start = useCallback(
    (harder = 0): Promise<Proof> => {
      pendingProof.current ??= requestChallenge({ harder })
        .then((task) =>
          solveInWorker(task, { signal: begin(), onProgress: (solved) => setProgress(solved / task.answers) }),
        )
        .catch((error: unknown) => {
          pendingProof.current = undefined;
          throw error;
        });
      return pendingProof.current;
    },
    [requestChallenge, begin],
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
