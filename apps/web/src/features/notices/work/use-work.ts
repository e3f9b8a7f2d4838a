import { useCallback, useEffect, useRef, useState } from "react";
import { trpc } from "../../../api/trpc.ts";
import type { Task } from "./solve.ts";

export interface Proof {
  readonly challenge: string;
  readonly answers: number[];
}

type News = { readonly done: number } | { readonly answers: number[] };

/** The work that one notice costs: begun when somebody starts to fill in the form, and mostly done before they send it. */
export function useWork() {
  const { mutateAsync: ask } = trpc.notices.challenge.useMutation();
  const [share, setShare] = useState(0);
  const going = useRef<Promise<Proof>>(undefined);
  const worker = useRef<Worker>(undefined);
  useEffect(() => () => worker.current?.terminate(), []);

  const start = useCallback((): Promise<Proof> => {
    going.current ??= ask()
      .then((task) => solveBeside(task, worker, (done) => setShare(done / task.answers)))
      .catch((error: unknown) => {
        going.current = undefined;
        throw error;
      });
    return going.current;
  }, [ask]);

  /** What was done is used once; the next notice begins anew. */
  const take = useCallback(async (): Promise<Proof> => {
    const proof = await start();
    going.current = undefined;
    setShare(0);
    return proof;
  }, [start]);

  return { begin: () => void start().catch(() => undefined), take, share };
}

function solveBeside(
  task: Task,
  kept: { current: Worker | undefined },
  onDone: (done: number) => void,
): Promise<Proof> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
    kept.current = worker;
    worker.onmessage = ({ data }: MessageEvent<News>) => {
      if ("done" in data) return onDone(data.done);
      worker.terminate();
      resolve({ challenge: task.challenge, answers: data.answers });
    };
    worker.onerror = () => reject(new Error("the work stopped"));
    worker.postMessage(task);
  });
}
