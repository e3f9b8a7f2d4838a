/** Solves the proof of work in a web worker, so that the page stays responsive. */
import type { WorkerReply } from "../../device/ask-worker.ts";
import { type ProofOfWorkTask, solve } from "./solve.ts";

const reply = (message: WorkerReply<number[]>) => postMessage(message);

addEventListener("message", ({ data }: MessageEvent<ProofOfWorkTask>) =>
  reply({ answer: solve(data, (progress) => reply({ progress })) }),
);
