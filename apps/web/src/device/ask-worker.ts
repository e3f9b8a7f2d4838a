import { withDeadline } from "./with-deadline.ts";

/** What a web worker of ours posts: progress, and then its answer or why there is none. */
export type WorkerReply<Answer> =
  | { readonly progress: number }
  | { readonly answer: Answer }
  | { readonly failure: string };

interface Options {
  /** How long the worker may be silent: on slow devices, work with progress may take longer in all. */
  readonly waitMs: number;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: number) => void) | undefined;
}

/** Lets a new web worker do one task, and ends it. Rejects with DeadlinePassed, with the signal's reason, or if the worker fails. */
export async function askWorker<Answer>(
  worker: Worker,
  task: unknown,
  { waitMs, signal, onProgress }: Options,
): Promise<Answer> {
  const hear = () =>
    new Promise<WorkerReply<Answer>>((resolve, reject) => {
      worker.onmessage = ({ data }) => resolve(data);
      worker.onerror = () => reject(new Error("the worker failed"));
    });
  try {
    worker.postMessage(task);
    for (;;) {
      const reply = await withDeadline(waitMs, hear, { signal });
      if ("answer" in reply) return reply.answer;
      if ("failure" in reply) throw new Error(reply.failure);
      onProgress?.(reply.progress);
    }
  } finally {
    worker.terminate();
  }
}
