/**
 * `node serve-worker.ts PORT STATE`: serves the worker of wrangler.toml until the process ends. Starts in a third of the processor time
 * of `wrangler dev`, for tests that kill and restart their server.
 */
import { configuredWorker, startHarness } from "./harness.ts";

const [port = "", state = ""] = process.argv.slice(2);
await startHarness([configuredWorker()], { port: Number(port), state });
