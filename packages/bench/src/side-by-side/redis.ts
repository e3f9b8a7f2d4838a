/** Redis: a temporary server with all positions in one key, and each member's values in a hash. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "@lambda/testing/site";
import { createClient } from "@redis/client";
import type { Brief } from "./ours.ts";
import { COLUMNS, type TimedResult } from "./postgis.ts";

type Part = string | number;

const LOAD_BATCH_SIZE = 2000;

export async function openRedis() {
  const directory = mkdtempSync(join(tmpdir(), "bench-redis-"));
  const socket = join(directory, "redis.sock");
  const port = String(await freePort());
  const options = ["--port", port, "--unixsocket", socket, "--save", "", "--appendonly", "no", "--dir", directory];
  const server = spawn("redis-server", options, { stdio: "ignore" });
  const failed = once(server, "error").then(([error]) => {
    throw error;
  });
  const client = createClient({
    socket: { path: socket, tls: false, reconnectStrategy: (tries) => Math.min(50 * tries, 500) },
  });
  // Ignores connection errors while the server starts.
  client.on("error", () => undefined);
  await Promise.race([client.connect(), failed]);
  const send = <Reply>(...parts: Part[]) => client.sendCommand<Reply>(parts.map(String));
  const searched = (shape: readonly Part[]) => send<string[]>("GEOSEARCH", "members", ...shape);
  const usec = async () =>
    Number(/cmdstat_geosearch:calls=\d+,usec=(\d+)/.exec(await send<string>("INFO", "commandstats"))?.[1] ?? 0);
  return {
    load: async (briefs: Iterable<Brief>) => {
      let waiting: Promise<unknown>[] = [];
      for (const { row, point } of briefs) {
        const fields = COLUMNS.flatMap((column) => [column, row[column] ?? ""]);
        waiting.push(send("GEOADD", "members", point.lon, point.lat, row.profile_id));
        waiting.push(send("HSET", `member:${row.profile_id}`, ...fields));
        if (waiting.length < LOAD_BATCH_SIZE) continue;
        await Promise.all(waiting);
        waiting = [];
      }
      await Promise.all(waiting);
    },
    /** Finds the ids of a GEOSEARCH, and the server's time in milliseconds. */
    search: async (...shape: Part[]) => {
      const before = await usec();
      const ids = (await searched(shape)).map(Number);
      return { ids, ms: ((await usec()) - before) / 1000 };
    },
    /** Runs the same search and then fetches the members' values, as objects. */
    values: async (...shape: Part[]): Promise<TimedResult> => {
      const started = performance.now();
      const ids = await searched(shape);
      const values = await Promise.all(ids.map((id) => send<string[]>("HMGET", `member:${id}`, ...COLUMNS)));
      const rows = values.map((row) => Object.fromEntries(COLUMNS.map((column, at) => [column, row[at]])));
      return { ms: performance.now() - started, count: rows.length };
    },
    /** Milliseconds of a trivial call. */
    ping: async () => {
      const started = performance.now();
      await send("PING");
      return performance.now() - started;
    },
    [Symbol.asyncDispose]: async () => {
      client.destroy();
      server.kill();
      await once(server, "exit");
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
