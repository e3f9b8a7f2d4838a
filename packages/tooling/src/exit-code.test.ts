import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { ROOT } from "@lambda/testing/site";
import { afterEach, beforeEach, expect, it } from "vitest";
import { exitCodeOf } from "./exit-code.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "command-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Runs a script the way npm runs the project's commands, once it prints that it is ready. */
async function runCommand(script: string): Promise<ChildProcess> {
  const file = join(folder, "command.ts");
  writeFileSync(file, script);
  const runner = `import { run } from ${JSON.stringify(`${ROOT}packages/tooling/src/install.mjs`)}; run(${JSON.stringify(relative(ROOT, file))}, [])`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", runner], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(child.stdout!, "data");
  return child;
}

/** What a process and all that share its output still print. */
async function readRest({ stdout }: ChildProcess): Promise<string> {
  let text = "";
  for await (const chunk of stdout!) text += String(chunk);
  return text;
}

it.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
  "hands %s on to the command, and waits for its end",
  async (signal) => {
    const child = await runCommand(
      `process.on("${signal}", () => { console.log("undone"); process.exit(7); }); setInterval(() => {}, 1000); console.log("ready");`,
    );
    child.kill(signal);
    const [[code], rest] = await Promise.all([once(child, "exit"), readRest(child)]);
    expect([code, rest]).toEqual([7, "undone\n"]);
  },
);

it("lets a command end whose runner was killed", async () => {
  const child = await runCommand(
    `process.on("disconnect", () => { console.log("stopped"); process.exit(); }); setInterval(() => {}, 1000); console.log("ready");`,
  );
  child.kill("SIGKILL");
  expect(await readRest(child)).toBe("stopped\n");
});

it("keeps a second copy off the local state, until the first one ends in any way", async () => {
  const hold = `
    import { holdState } from ${JSON.stringify(`${ROOT}packages/tooling/src/hold-state.ts`)};
    holdState(${JSON.stringify(folder)});
    globalThis.gc();
    setInterval(() => {}, 1000);
    console.log("ready");`;
  const start = () =>
    spawn(process.execPath, ["--expose-gc", "--input-type=module", "--eval", hold], {
      stdio: ["ignore", "pipe", "pipe"],
      cwd: ROOT,
    });
  const first = start();
  await once(first.stdout!, "data");
  const second = start();
  const [[said], [code]] = await Promise.all([once(second.stderr!, "data"), once(second, "exit")]);
  expect([String(said), code]).toEqual([expect.stringContaining("Another npm start"), 1]);
  first.kill("SIGKILL");
  await once(first, "exit");
  const third = start();
  expect(String((await once(third.stdout!, "data"))[0])).toBe("ready\n");
  third.kill();
});

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
