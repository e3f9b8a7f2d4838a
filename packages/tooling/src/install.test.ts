import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { createInterface } from "node:readline";
import { ROOT } from "@lambda/testing/site";
import { afterEach, beforeEach, expect, it } from "vitest";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "größe & übung "));
  // As start.ts: it ends in its own time, and tells its id.
  writeFileSync(
    join(folder, "server.ts"),
    `process.on("disconnect", () => process.exit(1));
    process.on("SIGTERM", () => (console.log("stopped"), process.exit(0)));
    setInterval(() => undefined, 1000);
    console.log(process.ppid);`,
  );
  writeFileSync(
    join(folder, "server.mjs"),
    `import { run } from ${JSON.stringify(join(import.meta.dirname, "install.mjs"))};
    run(${JSON.stringify(relative(ROOT, join(folder, "server.ts")))}, { stopsWithParent: true });`,
  );
});
afterEach(() => rmSync(folder, { recursive: true }));

/** As npm runs a command: in a shell. Its output ends when the last process has ended. */
async function start(): Promise<{ shell: ChildProcess; runner: number; lines: AsyncIterator<string> }> {
  const shell = spawn("sh", ["-c", `"${process.execPath}" "${join(folder, "server.mjs")}"; exit $?`]);
  const lines = createInterface(shell.stdout)[Symbol.asyncIterator]();
  return { shell, lines, runner: Number((await lines.next()).value) };
}

it("a server stops with the shell that npm runs it in, which hands no signal on", async () => {
  const { shell, lines } = await start();
  shell.kill("SIGTERM");
  await once(shell, "exit");
  expect(await lines.next()).toEqual({ value: "stopped", done: false });
  expect(await lines.next()).toMatchObject({ done: true });
});

it("a server ends when the process that runs it is killed", async () => {
  const { runner, lines } = await start();
  process.kill(runner, "SIGKILL");
  expect(await lines.next()).toMatchObject({ done: true });
});
