import { explain } from "./account/permissions.ts";
import { rejectLostFlags } from "./install.mjs";

/** `--verbose`, of this command or of the one that runs it: prints what wrangler prints, and the stack of a failure. */
export const isVerbose = () => process.env.OPERATOR_VERBOSE === "1";

/** For a command that this one runs: this one says how to go on. */
export const INNER_COMMAND = { OPERATOR_INNER: "1" };

const stop = new AbortController();
let careful = 0;

/** Aborted by Ctrl-C during work that undoes itself. */
export const stopSignal = stop.signal;

/** Ctrl-C makes this work fail at its next wait, so that it can undo what it began, where it would end the process. */
export async function undoOnStop<Result>(work: () => Promise<Result>): Promise<Result> {
  careful += 1;
  try {
    return await work();
  } finally {
    careful -= 1;
  }
}

/** Ends a command that fails with a sentence, and with how to go on, where Node would print a stack trace. */
export function sayFailures(hint?: string): void {
  rejectLostFlags();
  const howToGoOn = process.env.OPERATOR_INNER ? undefined : hint;
  const flag = process.argv.indexOf("--verbose");
  if (flag > 0) {
    process.argv.splice(flag, 1);
    process.env.OPERATOR_VERBOSE = "1";
  }
  // npm passes it on, so that it comes twice.
  process.on("SIGINT", () => {
    if (careful > 0) {
      if (!stopSignal.aborted) console.error("\nStopping: this undoes what it began ...");
      return stop.abort(new Error("it was stopped"));
    }
    if (howToGoOn) console.error(`\nStopped. ${howToGoOn}`);
    process.exit(130);
  });
  process.on("uncaughtException", (error) => {
    if (isVerbose()) console.error(error);
    console.error(explain(error));
    if (howToGoOn) console.error(howToGoOn);
    process.exit(1);
  });
}
