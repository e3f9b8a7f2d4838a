import { spawn } from "node:child_process";

/**
 * Stands between a test run and its server: ends the server when the run ends, however it ends. A killed run cannot clean up
 * after itself, but its end closes this process's channel to it. Leads the process group that it ends.
 */
const child = spawn(process.execPath, process.argv.slice(2), { stdio: ["ignore", "inherit", "inherit"] });
const end = () => {
  try {
    process.kill(-process.pid, "SIGTERM");
  } catch {
    child.kill();
  }
};
process.once("disconnect", end);
// Killed by a signal is no good end.
child.once("exit", (code) => process.exit(code ?? 1));
