import { spawn } from "node:child_process";

/**
 * Runs a server and kills it when the parent process ends. A killed parent cannot clean up, but its IPC channel to this process closes.
 * This process leads the process group that it kills.
 */
const child = spawn(process.execPath, process.argv.slice(2), { stdio: ["ignore", "inherit", "inherit"] });
const killGroup = () => {
  try {
    process.kill(-process.pid, "SIGTERM");
  } catch {
    child.kill();
  }
};
process.once("disconnect", killGroup);
// Without a code, a signal killed the server.
child.once("exit", (code) => process.exit(code ?? 1));
