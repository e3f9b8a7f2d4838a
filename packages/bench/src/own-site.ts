/** A site of its own for one bench: fresh state in a temporary directory, members made in its database, calls over HTTP. */
import { mkdtempSync, rmSync } from "node:fs";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSession } from "@lambda/testing/members";
import { createDatabase, freePort, startSite } from "@lambda/testing/site";
import type { Row, RunSql } from "@lambda/testing/sql";
import { putBasemap } from "../../tooling/src/basemap/put.ts";

export interface Call {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly body?: string | Uint8Array;
  /** On a connection of its own: what is not quite HTTP must not disturb the request after it. */
  readonly alone?: boolean;
}

export interface Answered {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly body: string;
}

export interface OwnSite {
  readonly port: number;
  call(call: Call): Promise<Answered>;
  /** Runs statements as one transaction. */
  readonly sql: RunSql;
  /** The Cookie header of a fresh session of this member. */
  session(id: number): Promise<string>;
  log(): string;
  close(): Promise<void>;
}

/** `basemap`: with the map's world, which nothing but a map needs. */
export async function openOwnSite({ basemap = false } = {}): Promise<OwnSite> {
  const state = mkdtempSync(join(tmpdir(), "bench-site-"));
  createDatabase(state);
  if (basemap) await putBasemap(state);
  const site = await startSite({ port: await freePort(), state });
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const origin = `http://localhost:${site.port}`;

  const call = ({ method = "GET", path, headers = {}, body, alone }: Call) =>
    new Promise<Answered>((resolve, reject) => {
      const sent = request(
        {
          agent: alone ? false : agent,
          host: "127.0.0.1",
          port: site.port,
          method,
          path,
          headers: { host: `localhost:${site.port}`, origin, "x-development-quotas": "off", ...headers },
        },
        (answer) => {
          const parts: Buffer[] = [];
          answer.on("data", (part: Buffer) => parts.push(part));
          answer.on("error", reject);
          answer.on("end", () =>
            resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(parts).toString() }),
          );
        },
      );
      sent.on("upgrade", (answer, socket) => {
        socket.destroy();
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: "" });
      });
      sent.on("error", reject);
      sent.end(body);
    });

  const sql: RunSql = async (...batch) => {
    for (;;) {
      // This door takes no Origin, so that no page of a browser can use it.
      const answer = await fetch(`${origin}/dev/sql`, { method: "POST", body: JSON.stringify({ batch }) });
      const text = await answer.text();
      if (answer.ok) return JSON.parse(text) as Row[][];
      // The development server lost a connection between its own parts: the worker has not seen this.
      if (!text.startsWith("Error: Network connection lost.")) throw new Error(`${text}\n${site.log()}`);
    }
  };

  const session = async (id: number) => `__Host-session=${await createSession(sql, id, { device: "Bench" })}`;

  return {
    port: site.port,
    call,
    sql,
    session,
    log: site.log,
    close: async () => {
      agent.destroy();
      await site.stop();
      rmSync(state, { recursive: true, force: true });
    },
  };
}
