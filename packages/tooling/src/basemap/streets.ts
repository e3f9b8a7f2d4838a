import { runStreets } from "./streets-command.ts";

try {
  await runStreets(process.argv.slice(2), console.log);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
