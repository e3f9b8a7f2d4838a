import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { exitCodeOf } from "./exit-code.ts";

it("treats a server that exits by itself as a failure, even with exit code 0", () => {
  expect([exitCodeOf(0, false), exitCodeOf(null, false), exitCodeOf(3, false)]).toEqual([1, 1, 3]);
  expect([exitCodeOf(0, true), exitCodeOf(143, true)]).toEqual([0, 0]);
});

it("the guard process reports the failure of a killed server", async () => {
  const guard = fileURLToPath(import.meta.resolve("../../testing/src/site-guard.mjs"));
  const child = spawn(process.execPath, [guard, "-e", "process.kill(process.pid, 'SIGKILL')"], {
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  expect(await new Promise((resolve) => child.once("exit", resolve))).toBe(1);
});
