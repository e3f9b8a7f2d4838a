import { spawn } from "node:child_process";
import { ROOT } from "@lambda/testing/site";
import { putBasemap } from "./basemap/put.ts";
import { holdState } from "./hold-state.ts";
import { prepareDatabase } from "./local-database.ts";

/** `npm run dev`: Vite with hot reload, and the worker in the same process. PORT changes 8787. */
// Whoever runs this process may be killed at any time.
let stop = (): void => process.exit(1);
process.on("disconnect", () => stop());
holdState();
await prepareDatabase();
await putBasemap();
const vite = spawn(`${ROOT}node_modules/.bin/vite`, ["--port", process.env.PORT ?? "8787"], {
  cwd: `${ROOT}apps/web`,
  stdio: "inherit",
}).once("exit", (code) => process.exit(code ?? 0));
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => vite.kill(signal));
stop = () => void vite.kill();
