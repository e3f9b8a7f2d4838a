import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { afterEach, beforeEach, expect, it } from "vitest";
import { endProcessGroup, watchSite } from "./watch-site.ts";

let server: ChildProcess;
let address: string;
beforeEach(async () => {
  const script =
    'const s = require("http").createServer((_q, a) => a.end()).listen(0, "127.0.0.1", () => console.log(s.address().port))';
  server = spawn(process.execPath, ["--eval", script], { stdio: ["ignore", "pipe", "inherit"], detached: true });
  const [port] = (await once(server.stdout!, "data")) as [Buffer];
  address = `http://127.0.0.1:${Number(port.toString())}/`;
});
afterEach(() => endProcessGroup(server));

const ask = () => fetch(address, { signal: AbortSignal.timeout(200) });

it("a server that lives and answers nobody is noticed, and can be ended although it hears no signal", async () => {
  let answered = 0;
  let deaf = 0;
  const looked = new Promise<void>((resolve) => {
    watchSite({
      ask: async () => {
        await ask();
        answered += 1;
        if (answered === 3) server.kill("SIGSTOP");
      },
      ...{ everyMs: 5, tries: 3 },
      onDeaf: () => {
        deaf += 1;
        resolve();
      },
    });
  });
  await looked;
  expect([answered, deaf, server.exitCode]).toEqual([3, 1, null]);
  const ended = once(server, "exit");
  endProcessGroup(server);
  expect(await ended).toEqual([null, "SIGKILL"]);
  endProcessGroup(server);
});

it("single silences are none, and after its end nothing is told", async () => {
  let asked = 0;
  let deaf = 0;
  await new Promise<void>((resolve) => {
    const end = watchSite({
      ask: async () => {
        asked += 1;
        if (asked === 9) {
          end();
          resolve();
        }
        if (asked % 2 === 0 || asked >= 9) throw new Error("silent");
      },
      ...{ everyMs: 1, tries: 2 },
      onDeaf: () => {
        deaf += 1;
      },
    });
  });
  expect(deaf).toBe(0);
});
