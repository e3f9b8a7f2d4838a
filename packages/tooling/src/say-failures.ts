import { explain } from "./account/permissions.ts";

/** Ends a command that fails with a sentence, and with how to go on, where Node would print a stack trace. */
export function sayFailures(howToGoOn?: string): void {
  process.on("uncaughtException", (error) => {
    console.error(explain(error));
    if (howToGoOn) console.error(howToGoOn);
    process.exit(1);
  });
}
