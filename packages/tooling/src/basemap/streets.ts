import { sayFailures } from "../say-failures.ts";
import { runStreets } from "./streets-command.ts";

sayFailures();

await runStreets(process.argv.slice(2), console.log);
