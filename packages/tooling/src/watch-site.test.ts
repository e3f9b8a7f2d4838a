import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { afterEach, beforeEach, expect, it } from "vitest";
import { killProcessGroup, watchSite } from "./watch-site.ts";

let server: ChildProcess;
let address: string;
beforeEach(async () => {
  const script =
    'const s = require("http").createServer((_q, a) => a.end()).listen(0, "127.0.0.1", () => console.log(s.address().port))';
  server = spawn(process.execPath, ["--eval", script], { stdio: ["ignore", "pipe", "inherit"], detached: true });
  const [port] = (await once(server.stdout!, "data")) as [Buffer];
  address = `http://127.0.0.1:${Number(port.toString())}/`;
});
afterEach(() => killProcessGroup(server));

const ask = () => fetch(address, { signal: AbortSignal.timeout(200) });

it("detects a server that is alive but does not respond, and can kill it although it ignores signals", async () => {
  let answered = 0;
  let unresponsive = 0;
  const detected = new Promise<void>((resolve) => {
    watchSite({
      probe: async () => {
        await ask();
        answered += 1;
        if (answered === 3) server.kill("SIGSTOP");
      },
      intervalMs: 5,
      tries: 3,
      onUnresponsive: () => {
        unresponsive += 1;
        resolve();
      },
    });
  });
  await detected;
  expect([answered, unresponsive, server.exitCode]).toEqual([3, 1, null]);
  const ended = once(server, "exit");
  killProcessGroup(server);
  expect(await ended).toEqual([null, "SIGKILL"]);
  killProcessGroup(server);
});

it("ignores single failures, and reports nothing after it was stopped", async () => {
  let asked = 0;
  let unresponsive = 0;
  await new Promise<void>((resolve) => {
    const end = watchSite({
      probe: async () => {
        asked += 1;
        if (asked === 9) {
          end();
          resolve();
        }
        if (asked % 2 === 0 || asked >= 9) throw new Error("silent");
      },
      intervalMs: 1,
      tries: 2,
      onUnresponsive: () => {
        unresponsive += 1;
      },
    });
  });
  expect(unresponsive).toBe(0);
});
