/** Runs beside the page, so that a phone stays quick while it works. */
import { solve, type Task } from "./solve.ts";

addEventListener("message", ({ data }: MessageEvent<Task>) => {
  const answers = solve(data, (done) => postMessage({ done }));
  postMessage({ answers });
});
