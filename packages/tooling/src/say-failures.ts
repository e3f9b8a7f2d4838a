import { explain } from "./account/permissions.ts";

/** `--verbose`, of this command or of the one that runs it: prints what wrangler prints, and the stack of a failure. */
export const isVerbose = () => process.env.OPERATOR_VERBOSE === "1";

/** For a command that this one runs: this one says how to go on. */
export const INNER_COMMAND = { OPERATOR_INNER: "1" };

/** Ends a command that fails with a sentence, and with how to go on, where Node would print a stack trace. */
export function sayFailures(hint?: string): void {
  const howToGoOn = process.env.OPERATOR_INNER ? undefined : hint;
  const flag = process.argv.indexOf("--verbose");
  if (flag > 0) {
    process.argv.splice(flag, 1);
    process.env.OPERATOR_VERBOSE = "1";
  }
  process.once("SIGINT", () => {
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
