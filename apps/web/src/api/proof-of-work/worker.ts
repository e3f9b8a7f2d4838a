/** Solves the proof of work in a web worker, so that the page stays responsive. */
import { type ProofOfWorkTask, solve } from "./solve.ts";

addEventListener("message", ({ data }: MessageEvent<ProofOfWorkTask>) => {
  const answers = solve(data, (solved) => postMessage({ solved }));
  postMessage({ answers });
});
