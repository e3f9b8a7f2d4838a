import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { afterEach, beforeEach, expect, it } from "vitest";
import { askPatiently, killProcessGroup, watchSite } from "./watch-site.ts";

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
  const events: string[] = [];
  const detected = new Promise<void>((resolve) => {
    watchSite({
      probe: async () => {
        await ask();
        answered += 1;
        if (answered === 3) server.kill("SIGSTOP");
      },
      intervalMs: 5,
      ...{ silentTries: 2, tries: 3 },
      onSilent: () => events.push("silent"),
      onUnresponsive: () => {
        events.push("unresponsive");
        resolve();
      },
    });
  });
  await detected;
  expect([answered, ...events, server.exitCode]).toEqual([3, "silent", "unresponsive", null]);
  const ended = once(server, "exit");
  killProcessGroup(server);
  expect(await ended).toEqual([null, "SIGKILL"]);
  killProcessGroup(server);
});

it("asks again where a request is lost, until a deadline", async () => {
  let asked = 0;
  const loseFirst = async () => {
    asked += 1;
    if (asked < 3) throw new Error("lost");
    return asked;
  };
  expect(await askPatiently(loseFirst, 60_000, 1)).toBe(3);
  await expect(askPatiently(() => Promise.reject(new Error("gone")), 0, 1)).rejects.toThrow("gone");
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
      ...{ silentTries: 2, tries: 2 },
      onSilent: () => undefined,
      onUnresponsive: () => {
        unresponsive += 1;
      },
    });
  });
  expect(unresponsive).toBe(0);
});
